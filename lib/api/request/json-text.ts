import { yieldToEventLoop } from "../../event-loop/yielding.ts";
import type { Json } from "../../session/json/json.ts";
import { findRepeatedName, repeatedWords } from "../../session/json/json-names.ts";
import { lostWords, type Numbers, parseAsWritten, pointerAt } from "../../session/json/json-number.ts";
import { MOST_NAMES, MOST_VALUES, scanningJson } from "../../session/json/json-scan.ts";
import { Problem } from "../problem.ts";

/** Texts of this many characters are scanned and parsed without yielding: some 5 ms. */
const PARSED_AT_ONCE = 512 * 1024;

/** The maximum nesting of a body (E11), unless its format needs more. */
const MAX_DEPTH = 64;

/**
 * Parses untrusted JSON (E11). `place` is the JSON Pointer of the text in the request: of its NDJSON line, or "" for a
 * whole body; `deepest` is the maximum nesting. Throws a `Problem`: nested too deeply, too many values, a lone
 * surrogate, a number that JavaScript would change or a repeated name in an object (except in `as_written` formats,
 * where the last value counts), not JSON.
 */
export function parseJson(text: string, place: string, deepest = MAX_DEPTH, numbers: Numbers = "refused"): Json {
  const parts = parsingJson(text, place, deepest, numbers);
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
  }
}

/** The same, yielding to the event loop if the text is long. */
export async function parseJsonInParts(
  text: string,
  place: string,
  deepest = MAX_DEPTH,
  numbers: Numbers = "refused",
): Promise<Json> {
  const parts = parsingJson(text, place, deepest, numbers);
  for (;;) {
    if (text.length > PARSED_AT_ONCE) await yieldToEventLoop();
    const { done, value } = parts.next();
    if (!done) continue;
    if (text.length > PARSED_AT_ONCE) await yieldToEventLoop();
    return value;
  }
}

function* parsingJson(text: string, place: string, deepest: number, numbers: Numbers): Generator<void, Json> {
  const scan = yield* scanningJson(text, deepest);
  if (scan.fault !== null) throw refusal(scan.fault, place, deepest);
  yield;
  const value = parsed(text, place, numbers === "as_written" && scan.lost !== null);
  if (numbers === "as_written") return value;
  if (scan.lost) {
    const { shown, fate } = lostWords(scan.lost);
    const path = `${place}${pointerAt(text, scan.lost.offset)}`;
    throw new Problem("invalid_input", `The number ${shown}${path && ` at ${path}`} ${fate}.`, {
      errors: [{ path, message: `${shown} ${fate}` }],
    });
  }
  yield;
  const repeated = findRepeatedName(text, value, scan.colons);
  if (repeated) {
    const { shown, path: within, fate } = repeatedWords(text, repeated);
    const path = `${place}${within}`;
    throw new Problem("invalid_input", `The name ${shown} at ${path} ${fate}.`, {
      errors: [{ path, message: fate }],
    });
  }
  return value;
}

function parsed(text: string, place: string, asWritten: boolean): Json {
  try {
    return asWritten ? parseAsWritten<Json>(text) : JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Problem("malformed_json", `${named(place)} is not valid JSON: ${reason}.`, {
      errors: [{ path: place, message: "is not valid JSON" }],
    });
  }
}

function named(place: string): string {
  return place === "" ? "The body" : `Line ${place}`;
}

function refusal(fault: "depth" | "values" | "names" | "surrogate", place: string, deepest: number): Problem {
  switch (fault) {
    case "depth":
      return new Problem("too_deep", `${named(place)} is nested deeper than ${deepest} levels; send flatter JSON.`, {
        errors: [{ path: place, message: `is nested deeper than ${deepest} levels` }],
      });
    case "values":
      return new Problem(
        "too_many",
        `${named(place)} has more than ${MOST_VALUES} values; send it in smaller parts, or long lists of numbers as a string.`,
        { errors: [{ path: place, message: `has more than ${MOST_VALUES} values` }] },
      );
    case "names":
      return new Problem(
        "too_many",
        `${named(place)} has more than ${MOST_NAMES} different names; send it in smaller parts, or maps as lists of pairs.`,
        { errors: [{ path: place, message: `has more than ${MOST_NAMES} different names` }] },
      );
    case "surrogate":
      return new Problem(
        "bad_encoding",
        `${named(place)} contains half of a surrogate pair, which is not a valid character; send the whole pair.`,
        {
          errors: [{ path: place, message: "contains a lone surrogate" }],
        },
      );
    default:
      return fault satisfies never;
  }
}
