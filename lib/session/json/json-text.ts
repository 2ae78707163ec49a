import type { Json } from "./json.ts";
import { findRepeatedName, repeatedWords } from "./json-names.ts";
import { type LostNumber, lineAt, lostWords, type Numbers, parseAsWritten, pointerAt } from "./json-number.ts";
import { MOST_NAMES, MOST_VALUES, type Scan, scanJson } from "./json-scan.ts";

/** An error in a JSON text. */
export interface JsonFlaw {
  message: string;
  /** Invalid syntax: the text may be incomplete. */
  syntax: boolean;
  /** From 1 within the text; null if unknown. */
  line: number | null;
}

/**
 * Parses untrusted JSON: at most `depth` levels, so that recursion over it is safe, and without lone surrogates, which
 * UTF-8 cannot encode (E11). No number is changed: see `Numbers`. If these are refused, so are duplicate keys;
 * otherwise the last value counts.
 */
export function readJson(
  text: string,
  depth: number,
  numbers: Numbers,
): { ok: true; value: Json } | { ok: false; flaw: JsonFlaw } {
  const scan = scanJson(text, depth);
  if (scan.fault !== null)
    return { ok: false, flaw: { message: scanWords(scan.fault, depth), syntax: false, line: null } };
  let value: Json;
  try {
    value = numbers === "as_written" && scan.lost ? parseAsWritten<Json>(text) : JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const place = / \(line (\d+) column \d+\)/.exec(error.message);
    const reason = error.message.replace(place?.[0] ?? "", "");
    return {
      ok: false,
      flaw: { message: `this is not JSON: ${reason}`, syntax: true, line: place ? Number(place[1]) : null },
    };
  }
  const flaw = numbers === "refused" ? (numberFlaw(text, scan.lost) ?? nameFlaw(text, value, scan.colons)) : null;
  return flaw === null ? { ok: true, value } : { ok: false, flaw };
}

function scanWords(fault: NonNullable<Scan["fault"]>, depth: number): string {
  switch (fault) {
    case "depth":
      return `this is nested deeper than ${depth} levels`;
    case "values":
      return `this has more than ${MOST_VALUES} values`;
    case "names":
      return `this has more than ${MOST_NAMES} different names`;
    case "surrogate":
      return "a string in it contains half of a surrogate pair, which is not valid Unicode";
    default:
      return fault satisfies never;
  }
}

function numberFlaw(text: string, lost: LostNumber | null): JsonFlaw | null {
  if (lost === null) return null;
  const place = pointerAt(text, lost.offset);
  const line = lineAt(text, lost.offset);
  const { shown, fate } = lostWords(lost);
  return { message: `the number ${shown}${place && ` at ${place}`} ${fate}`, syntax: false, line };
}

function nameFlaw(text: string, value: Json, colons: number): JsonFlaw | null {
  const repeated = findRepeatedName(text, value, colons);
  if (repeated === null) return null;
  const line = lineAt(text, repeated.offset);
  const { shown, path, fate } = repeatedWords(text, repeated);
  return { message: `the name ${shown} at ${path} ${fate}`, syntax: false, line };
}
