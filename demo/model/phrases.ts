import type { Json, JsonObject } from "../../lib/session/json/json.ts";
import { LETTER, LETTERS, READERS, type ValueKind } from "./values.ts";

/** A phrase that a message may have in it. */
export interface Phrase {
  pattern: RegExp;
  /** What it captures: each name with how it is read. */
  captures: ReadonlyMap<string, ValueKind>;
}

/**
 * A message is a sentence or two, perhaps with a comment. What is longer has no phrase: phrases that capture words would
 * be slow on it, and a part of it is not what was said.
 */
const LONGEST = 2_000;

const POLITE = "(?:пожалуйста|плиз|please)";
const GAP = String.raw`[\s,]+(?:${POLITE}[\s,]+)?`;
const GAP_BEFORE_WORDS = String.raw`(?:\s*[:,—–-]\s*|\s+)`;
const END = String.raw`(?:[\s,]+${POLITE})?[\s.,!?…)]*$`;
/** What is asked not to be done is no request. */
const UNASKED = String.raw`(?<!(?:^|[^${LETTERS}])(?:не|not|never|don't|dont)\s+(?:(?:надо|нужно|стоит|need\s+to|have\s+to)\s+)?)`;

/**
 * Reads a phrase: `(a|b)` one of them, `[a]` perhaps, `wor*` any ending, `{name:kind}` a capture, `^` and `$` the
 * message's ends. Words that are captured last reach to the message's end.
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

/** The phrase of a notation, compiled once. */
export function phraseOf(notation: string): Phrase {
  const known = compiled.get(notation) ?? compilePhrase(notation);
  compiled.set(notation, known);
  return known;
}

/** Where a message has a phrase, and the values that it captures there, without those that mean nothing. */
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
