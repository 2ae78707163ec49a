import type { Json } from "../session/json.ts";
import { findRepeatedName, repeatedWords } from "../session/json-names.ts";
import { isKept, type LostNumber, lostWords, type Numbers, parseAsWritten, pointerAt } from "../session/json-number.ts";
import { MOST_VALUES } from "../session/json-text.ts";
import { Problem } from "./problem.ts";

/** How deep a body may nest (E11), where its format needs no more. */
const MAX_DEPTH = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const COLON = 0x3a;
const COMMA = 0x2c;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const MINUS = 0x2d;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const IN_NUMBERS = new Set([..."0123456789.eE+-"].map((char) => char.charCodeAt(0)));
const LONE_SURROGATE = -1;
/**
 * Names that are counted as different only behind as many others. Each new one changes the shape of an object: 250,000 of them
 * took half a second, of which a third was reading and as much counting them.
 */
const MOST_NAMES = 30_000;
/** Names are told apart by so many bits of a hash: of as many as may be, one in thirty is missed. */
const NAME_BITS = 20;

/**
 * Parses JSON text that came from outside (E11). `place` is where the text stands in the request: the JSON Pointer
 * of its NDJSON line, or "" for a whole body; `deepest` how deep it may nest. Throws a `Problem`: nested too deeply, too many values, a lone surrogate, a number that
 * JavaScript would change or a name that stands twice in an object (unless numbers are taken `as_written`, as in formats of others: there
 * the last value of a name counts), not JSON.
 */
export function parseJson(text: string, place: string, deepest = MAX_DEPTH, numbers: Numbers = "refused"): Json {
  const fault = findFault(text, deepest, numbers);
  if (fault === "depth") {
    throw new Problem("too_deep", `${named(place)} nests deeper than ${deepest} levels; send flatter JSON.`, {
      errors: [{ path: place, message: `nests deeper than ${deepest} levels` }],
    });
  }
  if (fault === "values") {
    throw new Problem(
      "too_many",
      `${named(place)} has more than ${MOST_VALUES} values; send it in smaller parts, or long lists of numbers as a string.`,
      { errors: [{ path: place, message: `has more than ${MOST_VALUES} values` }] },
    );
  }
  if (fault === "names") {
    throw new Problem(
      "too_many",
      `${named(place)} has more than ${MOST_NAMES} different names; send it in smaller parts, or maps as lists of pairs.`,
      { errors: [{ path: place, message: `has more than ${MOST_NAMES} different names` }] },
    );
  }
  if (fault === "surrogate") {
    throw new Problem(
      "bad_encoding",
      `${named(place)} contains half of a surrogate pair, which is not a character; send the whole pair.`,
      {
        errors: [{ path: place, message: "contains a lone surrogate" }],
      },
    );
  }
  const value = parsed(text, place, numbers);
  if (typeof fault === "object") {
    const { shown, fate } = lostWords(fault);
    const path = `${place}${pointerAt(text, fault.offset)}`;
    throw new Problem("invalid_input", `The number ${shown}${path && ` at ${path}`} ${fate}.`, {
      errors: [{ path, message: `${shown} ${fate}` }],
    });
  }
  const repeated = numbers === "refused" ? findRepeatedName(text, value, fault) : null;
  if (repeated) {
    const { shown, path: within, fate } = repeatedWords(text, repeated);
    const path = `${place}${within}`;
    throw new Problem("invalid_input", `The name ${shown} at ${path} ${fate}.`, {
      errors: [{ path, message: fate }],
    });
  }
  return value;
}

function parsed(text: string, place: string, numbers: Numbers): Json {
  try {
    return numbers === "as_written" ? parseAsWritten<Json>(text) : JSON.parse(text);
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

/**
 * Looks for what must not reach JSON.parse or anything recursive: one pass over the text with a counter, because
 * recursive checks overflow at a depth of 1,500. Strings, most of a text, are jumped over by `indexOf`. Where nothing is
 * wrong, gives how many colons stand outside of strings.
 */
function findFault(
  text: string,
  deepest: number,
  numbers: Numbers,
): "depth" | "surrogate" | "values" | "names" | LostNumber | number {
  const names = new NameCount();
  let quoted = 0;
  let depth = 0;
  let colons = 0;
  let commas = 0;
  let backslash = indexFrom(text, "\\", 0);
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index);
    if (char === QUOTE) {
      const quote = indexFrom(text, '"', index + 1);
      // Only looked for again once passed: a search for every string would make the pass quadratic.
      if (backslash < index) backslash = indexFrom(text, "\\", index);
      quoted = index + 1;
      index = quote < backslash ? quote : endOfEscaped(text, backslash);
      if (index === LONE_SURROGATE) return "surrogate";
    } else if (char === OPEN_BRACKET || char === OPEN_BRACE) {
      depth += 1;
      if (depth > deepest) return "depth";
    } else if (char === CLOSE_BRACKET || char === CLOSE_BRACE) {
      depth -= 1;
    } else if (char >= DIGIT_0 && char <= DIGIT_9) {
      const end = endOfNumber(text, index);
      const offset = index > 0 && text.charCodeAt(index - 1) === MINUS ? index - 1 : index;
      const written = text.slice(offset, end);
      if (numbers === "refused" && !isKept(written) && NUMBER.test(written)) return { written, offset };
      index = end - 1;
    } else if (char === COLON) {
      colons += 1;
      if (colons > MOST_NAMES && names.add(text, quoted) > MOST_NAMES) return "names";
    } else if (char === COMMA) {
      commas += 1;
      if (commas >= MOST_VALUES) return "values";
    }
  }
  return colons;
}

/** Counts how many names are different, but for a few. */
class NameCount {
  #seen: Uint8Array | null = null;
  #count = 0;

  /** Takes the name that begins at an index of a text; gives how many there are. */
  add(text: string, start: number): number {
    this.#seen ??= new Uint8Array(1 << NAME_BITS);
    let hash = 0;
    for (let index = start; index < text.length; index++) {
      const char = text.charCodeAt(index);
      if (char === QUOTE) break;
      hash = Math.imul(hash ^ char, 0x01000193);
    }
    const place = (hash ^ (hash >>> NAME_BITS)) & (this.#seen.length - 1);
    if (this.#seen[place] === 0) this.#count += 1;
    this.#seen[place] = 1;
    return this.#count;
  }
}

/** The index after a number, or after what follows one in text that is not JSON. */
function endOfNumber(text: string, start: number): number {
  let index = start;
  while (IN_NUMBERS.has(text.charCodeAt(index))) index += 1;
  return index;
}

/** Where `wanted` comes next; the text's length when it does not. */
function indexFrom(text: string, wanted: string, start: number): number {
  const index = text.indexOf(wanted, start);
  return index === -1 ? text.length : index;
}

/** The index of the quote that ends a string, looked for from its first escape; `LONE_SURROGATE` for half of a pair. */
function endOfEscaped(text: string, backslash: number): number {
  let index = backslash;
  while (index < text.length) {
    const char = text.charCodeAt(index);
    if (char === QUOTE) return index;
    if (char !== BACKSLASH) {
      index += 1;
      continue;
    }
    const unit = escapedUnit(text, index);
    if (isLow(unit)) return LONE_SURROGATE;
    if (!isHigh(unit)) {
      index += 2;
    } else if (isLow(escapedUnit(text, index + 6))) {
      index += 12;
    } else {
      return LONE_SURROGATE;
    }
  }
  return index;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** The UTF-16 unit of a `\uXXXX` escape at `index`; -1 when there is none. */
function escapedUnit(text: string, index: number): number {
  if (text.charCodeAt(index) !== BACKSLASH || text.charCodeAt(index + 1) !== 0x75) return -1;
  const digits = text.slice(index + 2, index + 6);
  return /^[0-9a-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : -1;
}
