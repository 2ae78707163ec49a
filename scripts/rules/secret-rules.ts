import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { z } from "zod";
import { ROOT } from "../process.mjs";

/** The rules of gitleaks' `config/gitleaks.toml`. */
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

/** A rule in JavaScript. */
interface SecretRule {
  id: string;
  pattern: string;
  flags: string;
  keywords: string[];
  entropy: number;
}

/** Rules that are replaced here, or have false positives. */
const LEFT_OUT = new Set([
  // Any value with a name such as "key": `lib/redaction/names.ts` has these.
  ...["generic-api-key", "hashicorp-tf-password", "kubernetes-secret-yaml"],
  // From a command's start to any later option: quadratic time.
  ...["curl-auth-header", "curl-auth-user"],
  // `lib/redaction/secrets.ts` has these also without an end marker, and base64 is decoded.
  ...["private-key", "jwt", "jwt-base64"],
  // Matches any SHA-1.
  "sourcegraph-access-token",
  // Matches any 24 letters and digits beside a name; `lib/redaction/secrets.ts` has its newer tokens.
  "atlassian-api-token",
]);

/** Parts of too many words: a rule without keywords is tried on every text. */
const COMMON = new Set(["s.", "sk"]);

/** What gitleaks puts around a value that is recognized by a vendor's name. */
const NAMED = /^(.*\(\?:\[ \\t\\w\.-\]\{0,20\}\)\[\\s'"\]\{0,3\}.*?\[\\x60'"\\s=\]\{0,5\})(\(.*)$/s;
const BEFORE_NAME = /^(\(\?i\))?(?:\[\\w\.-\]\{0,50\}\?)/;
/** In gitleaks' rules a secret ends as in code; in prose a full stop or a bracket may follow. */
const END = String.raw`(?:[\x60'"\s;]|\\[nr]|$)`;
const NO_WORD = `(?![A-Za-z0-9_])`;

function toRule({ id, regex, path, entropy = 0, keywords }: z.infer<typeof config>["rules"][number]): SecretRule[] {
  if (regex === undefined || path !== undefined || LEFT_OUT.has(id)) return [];
  const pattern = regex
    // Matched from the name on: the text before it does not matter, and takes time.
    .replace(BEFORE_NAME, "$1")
    .replace(/^\(\?i\)/, "")
    .replaceAll(END, NO_WORD)
    // The text around a secret is kept.
    .replace(/^\(\?:\^\|/, "(?<=^|")
    .replace(/\(\?:(\$\|\[[^\]]*\]|\[[^\]]*\]\|\\z)\)$/, "(?=$1)")
    .replaceAll(String.raw`\z`, "$");
  const [, before, value] = NAMED.exec(pattern) ?? [];
  // Would match any hexadecimal digits beside a vendor's name: trace ids, hashes.
  if (value !== undefined && literalsOf(value.replaceAll(NO_WORD, "")).length < 3) return [];
  const made = before && value ? `(${plain(before)})${plain(value)}` : plain(pattern);
  const flags = regex.startsWith("(?i)") ? "gi" : "g";
  // Throws if it is not valid in JavaScript.
  new RegExp(made, flags);
  const rare = keywords.map((word) => word.toLowerCase()).filter((word) => !COMMON.has(word));
  return [{ id, pattern: made, flags, keywords: rare, entropy }];
}

/** The literal characters of a pattern. */
function literalsOf(pattern: string): string {
  return pattern.replaceAll(/\[[^\]]*\]|\{[\d,]+\}|\(\?[a-z-]*:|\(\?[a-z]+\)|\\[dwsb]|[\\()?*+|-]/g, "");
}

/** A pattern without capturing groups, with flags as groups: RE2's `(?i)` applies to the end of its group. */
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
