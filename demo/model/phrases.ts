import type { Json, JsonObject } from "../../lib/session/json/json.ts";
import { LETTER, LETTERS, READERS, type ValueKind } from "./values.ts";

/** A phrase to search for in a message. */
export interface Phrase {
  pattern: RegExp;
  /** Its captures by name, with their kinds. */
  captures: ReadonlyMap<string, ValueKind>;
}

/**
 * Longer messages match no phrase: captures of words would be slow on them, and a part of a long message is not the
 * request.
 */
const LONGEST = 2_000;

const POLITE = "(?:пожалуйста|плиз|please)";
const GAP = String.raw`[\s,]+(?:${POLITE}[\s,]+)?`;
const GAP_BEFORE_WORDS = String.raw`(?:\s*[:,—–-]\s*|\s+)`;
const END = String.raw`(?:[\s,]+${POLITE})?[\s.,!?…)]*$`;
/** A negated request is no request. */
const UNASKED = String.raw`(?<!(?:^|[^${LETTERS}])(?:не|not|never|don't|dont)\s+(?:(?:надо|нужно|стоит|need\s+to|have\s+to)\s+)?)`;

/**
 * Compiles a phrase: `(a|b)` alternatives, `[a]` optional, `wor*` any ending, `{name:kind}` a capture, `^` and `$` the
 * message's ends. A final capture of words extends to the message's end.
 */
export function compilePhrase(phrase: string): Phrase {
  const captures = new Map<string, ValueKind>();
  const body = phrase
    .replaceAll(/(?<=^|[\^(|])\[([^[\]]*)\] /g, "(?:$1 )?")
    .replaceAll(/ \[([^[\]]*)\]/g, "(?: $1)?")
    .replaceAll(/\[([^[\]]*)\] /g, "(?:$1 )?")
    .replaceAll(/\((?!\?)/g, "(?:")
    .replaceAll("*", `${LETTER}*`)
    .replaceAll(/ (?=\{\w+:words\})/g, GAP_BEFORE_WORDS)
    .replaceAll(" ", GAP)
    .replaceAll(/\{(\w+):(\w+)\}/g, (_, name: string, kind: string) => {
      if (!isKind(kind)) throw new Error(`The phrase "${phrase}" captures a ${kind}, which nothing reads`);
      captures.set(name, kind);
      return `(?<${name}>${READERS[kind].source})`;
    });
  const toEnd = /:words\}\)?$/.test(phrase) ? String.raw`\s*$` : String.raw`(?![${LETTERS}\d%])`;
  const source = body.endsWith("$") ? body.slice(0, -1) + END : body + toEnd;
  const start = source.startsWith("^") ? "" : String.raw`(?<![${LETTERS}\d])${UNASKED}`;
  return { pattern: new RegExp(start + source, "is"), captures };
}

const compiled = new Map<string, Phrase>();

/** Compiled phrases by notation. */
export function phraseOf(notation: string): Phrase {
  const known = compiled.get(notation) ?? compilePhrase(notation);
  compiled.set(notation, known);
  return known;
}

/** The match of a phrase in a message with its valid captured values. */
export function capture(
  { pattern, captures }: Phrase,
  message: string,
  now: Date,
): { at: number; values: JsonObject } | null {
  const found = message.length > LONGEST ? null : pattern.exec(plain(message));
  if (!found) return null;
  const values = [...captures].flatMap(([name, kind]): [string, Json][] => {
    const text = found.groups?.[name];
    const value = text === undefined ? null : READERS[kind].read(text, now);
    return value === null ? [] : [[name, value]];
  });
  return { at: found.index, values: Object.fromEntries(values) };
}

function plain(message: string): string {
  return message
    .replaceAll(/[\u00a0\u2009\u202f]/g, " ")
    .replaceAll("’", "'")
    .trim();
}

function isKind(kind: string): kind is ValueKind {
  return Object.hasOwn(READERS, kind);
}
