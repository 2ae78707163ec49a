import type { Json } from "./json.ts";
import { findRepeatedName, repeatedWords } from "./json-names.ts";
import {
  endOfString,
  findLostNumber,
  lineAt,
  lostWords,
  type Numbers,
  parseAsWritten,
  pointerAt,
} from "./json-number.ts";

/** Values of one text: reading so many takes 100 ms. In 5 MB that is one for 17 bytes. */
export const MOST_VALUES = 300_000;

/** What is wrong with a text that should be JSON. */
export interface JsonFlaw {
  message: string;
  /** It is no JSON at all: perhaps only the beginning of some. */
  syntax: boolean;
  /** Counts from 1 within the text; null where it is not known. */
  line: number | null;
}

/**
 * Reads JSON that others wrote: nested at most `depth` levels, so that whatever walks it later may recurse, and without lone
 * surrogates, which no UTF-8 can hold (E11). No number changes on its way: see `Numbers`. Where these are refused, so is a name
 * that stands twice in an object; else its last value counts.
 */
export function readJson(
  text: string,
  depth: number,
  numbers: Numbers,
): { ok: true; value: Json } | { ok: false; flaw: JsonFlaw } {
  if (hasManyValues(text)) {
    const message = `this has more than ${MOST_VALUES} values`;
    return { ok: false, flaw: { message, syntax: false, line: null } };
  }
  let value: Json;
  try {
    value = numbers === "as_written" ? parseAsWritten<Json>(text) : JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const place = / \(line (\d+) column \d+\)/.exec(error.message);
    const reason = error.message.replace(place?.[0] ?? "", "");
    return {
      ok: false,
      flaw: { message: `this is not JSON: ${reason}`, syntax: true, line: place ? Number(place[1]) : null },
    };
  }
  const message = flawWithin(value, depth);
  if (message !== null) return { ok: false, flaw: { message, syntax: false, line: null } };
  const flaw = numbers === "refused" ? strictFlaw(text, value) : null;
  return flaw === null ? { ok: true, value } : { ok: false, flaw };
}

/**
 * The flaw of a JSON text of which JavaScript would keep another number than it has, or one value of two under the same name; null
 * where it has neither. `value`: what it was parsed to.
 */
export function strictFlaw(text: string, value: Json): JsonFlaw | null {
  return numberFlaw(text) ?? nameFlaw(text, value);
}

function numberFlaw(text: string): JsonFlaw | null {
  const lost = findLostNumber(text);
  if (lost === null) return null;
  const place = pointerAt(text, lost.offset);
  const line = lineAt(text, lost.offset);
  const { shown, fate } = lostWords(lost);
  return { message: `the number ${shown}${place && ` at ${place}`} ${fate}`, syntax: false, line };
}

function nameFlaw(text: string, value: Json): JsonFlaw | null {
  const repeated = findRepeatedName(text, value);
  if (repeated === null) return null;
  const line = lineAt(text, repeated.offset);
  const { shown, path, fate } = repeatedWords(text, repeated);
  return { message: `the name ${shown} at ${path} ${fate}`, syntax: false, line };
}

function hasManyValues(text: string): boolean {
  // Each has a comma, but for the first of its list.
  if (text.length < 2 * MOST_VALUES) return false;
  let commas = 0;
  for (let at = 0; at < text.length && commas < MOST_VALUES; at += 1) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) at = endOfString(text, at);
    else if (char === COMMA) commas += 1;
  }
  return commas >= MOST_VALUES;
}

const QUOTE = 0x22;
const COMMA = 0x2c;

/** Walks with a list of its own: what it looks for is what a recursive walk would fall over. */
function flawWithin(root: Json, depth: number): string | null {
  const open: { value: Json; level: number }[] = [{ value: root, level: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, level } = next;
    if (typeof value === "string" && !value.isWellFormed()) return BROKEN;
    if (typeof value !== "object" || value === null) continue;
    if (level === depth) return `this is nested deeper than ${depth} levels`;
    for (const key of Object.keys(value)) if (!key.isWellFormed()) return BROKEN;
    for (const child of Object.values(value)) open.push({ value: child, level: level + 1 });
  }
  return null;
}

const BROKEN = "a text in it holds half of a surrogate pair, which is not Unicode";
