import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { z } from "zod";
import { ROOT } from "../process.mjs";

/** The rules of gitleaks, as its `config/gitleaks.toml` has them. */
const config = z.object({
  rules: z.array(
    z.object({
      id: z.string(),
      regex: z.string().optional(),
      path: z.string().optional(),
      entropy: z.number().optional(),
      keywords: z.array(z.string()).default([]),
    }),
  ),
});

/** A rule as JavaScript can run it. */
interface SecretRule {
  id: string;
  pattern: string;
  flags: string;
  keywords: string[];
  entropy: number;
}

/** What is told otherwise here, or would take what is no secret. */
const LEFT_OUT = new Set([
  // Any value beside a name such as "key": `lib/redaction/names.ts` has the names.
  ...["generic-api-key", "hashicorp-tf-password", "kubernetes-secret-yaml"],
  // From a command's beginning to its option, wherever that is: it takes time that grows with the square of the text.
  ...["curl-auth-header", "curl-auth-user"],
  // `lib/redaction/secrets.ts` has these without their end, and base64 is looked into.
  ...["private-key", "jwt", "jwt-base64"],
  // Takes any SHA-1.
  "sourcegraph-access-token",
  // Takes any 24 letters and digits beside a name; `lib/redaction/secrets.ts` has its newer tokens.
  "atlassian-api-token",
]);

/** Parts of so many words that they would tell nothing: a rule without keywords is tried on every text. */
const COMMON = new Set(["s.", "sk"]);

/** What gitleaks puts around a value that a vendor's name tells. */
const NAMED = /^(.*\(\?:\[ \\t\\w\.-\]\{0,20\}\)\[\\s'"\]\{0,3\}.*?\[\\x60'"\\s=\]\{0,5\})(\(.*)$/s;
const BEFORE_NAME = /^(\(\?i\))?(?:\[\\w\.-\]\{0,50\}\?)/;
/** A secret ends in gitleaks' rules where code ends it; in what people write, a full stop or a bracket may follow. */
const END = String.raw`(?:[\x60'"\s;]|\\[nr]|$)`;
const NO_WORD = `(?![A-Za-z0-9_])`;

function toRule({ id, regex, path, entropy = 0, keywords }: z.infer<typeof config>["rules"][number]): SecretRule[] {
  if (regex === undefined || path !== undefined || LEFT_OUT.has(id)) return [];
  const pattern = regex
    // Looked for from the name on: the text before it does not matter, and takes time.
    .replace(BEFORE_NAME, "$1")
    .replace(/^\(\?i\)/, "")
    .replaceAll(END, NO_WORD)
    // What stands around a secret stays.
    .replace(/^\(\?:\^\|/, "(?<=^|")
    .replace(/\(\?:(\$\|\[[^\]]*\]|\[[^\]]*\]\|\\z)\)$/, "(?=$1)")
    .replaceAll(String.raw`\z`, "$");
  const [, before, value] = NAMED.exec(pattern) ?? [];
  // Beside a vendor's name any hexadecimal digits would do: ids of traces, hashes.
  if (value !== undefined && literalsOf(value.replaceAll(NO_WORD, "")).length < 3) return [];
  const made = before && value ? `(${plain(before)})${plain(value)}` : plain(pattern);
  const flags = regex.startsWith("(?i)") ? "gi" : "g";
  // Throws where JavaScript cannot read it.
  new RegExp(made, flags);
  const rare = keywords.map((word) => word.toLowerCase()).filter((word) => !COMMON.has(word));
  return [{ id, pattern: made, flags, keywords: rare, entropy }];
}

/** The characters of a pattern that stand for themselves. */
function literalsOf(pattern: string): string {
  return pattern.replaceAll(/\[[^\]]*\]|\{[\d,]+\}|\(\?[a-z-]*:|\(\?[a-z]+\)|\\[dwsb]|[\\()?*+|-]/g, "");
}

/** A pattern whose groups tell nothing, and in which flags have groups of their own: RE2's `(?i)` holds to its group's end. */
function plain(pattern: string): string {
  const parts = pattern.match(/\\.|\[(?:\\.|[^\]\\])*\]|\(\?i\)|\((?:\?[<=!:i-]*)?|[^\\[(]/gs) ?? [];
  let made = "";
  const closing = [""];
  for (const part of parts) {
    if (part === "(?i)") {
      made += "(?i:";
      closing[closing.length - 1] += ")";
    } else if (part.startsWith("(")) {
      made += part === "(" ? "(?:" : part;
      closing.push("");
    } else if (part === ")") {
      made += `${closing.pop()})`;
    } else if (part === "|" && closing.at(-1) !== "") {
      throw new Error(`(?i) before a choice: ${pattern}`);
    } else {
      made += part;
    }
  }
  return made + closing.pop();
}

const HEADER = (
  source: string,
) => `// Made by \`node scripts/rules/secret-rules.ts\` of ${source}. Not to be changed by hand.
//
// The rules are those of gitleaks (https://github.com/gitleaks/gitleaks), under the MIT licence:
//
// Copyright (c) 2019 Zachary Rice
//
// Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
// documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
// rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
// persons to whom the Software is furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
// Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
// WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
// COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
// OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

/** A secret that its shape tells: where one of \`keywords\` stands in a text, or always without, \`pattern\` may find it. */
export interface SecretRule {
  readonly id: string;
  /** Its group, where it has one, stands before the secret. */
  readonly pattern: string;
  readonly flags: string;
  /** In small letters. */
  readonly keywords: readonly string[];
  /** What has less bits to a character is a placeholder. */
  readonly entropy: number;
}

/** The rules of gitleaks that know a secret by its own shape. */
export const GITLEAKS_RULES: readonly SecretRule[] = `;

if (import.meta.main) {
  const [file, source] = process.argv.slice(2);
  if (!file || !source) {
    console.error('Say where the rules are: node scripts/rules/secret-rules.ts gitleaks.toml "gitleaks 8.30.0"');
    process.exit(1);
  }
  const rules = config.parse(parse(readFileSync(file, "utf8"))).rules.flatMap(toRule);
  writeFileSync(join(ROOT, "lib/redaction/gitleaks.ts"), `${HEADER(source)}${JSON.stringify(rules, null, 2)};\n`);
  console.log(`${rules.length} rules; npm run format puts them in shape.`);
}
