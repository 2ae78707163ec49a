import { isKept, type LostNumber } from "./json-number.ts";

/** The maximum number of values in a text: parsing them takes 100 ms. In 5 MB that is one per 17 bytes. */
export const MOST_VALUES = 300_000;
/**
 * The maximum number of different keys. Each new one changes the shape of an object: 250,000 of them took half a
 * second.
 */
export const MOST_NAMES = 30_000;
/** Keys are distinguished by this many bits of a hash: at the maximum, one in thirty is missed. */
const NAME_BITS = 20;

/** Characters per part: 5 MB of short values took 50 ms at once. */
const PART = 512 * 1024;

const SPACE = 0x20;
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
 * The result of a scan before parsing: why a text must not be parsed, or the number of colons outside of its strings.
 */
export type Scan =
  | { fault: "depth" | "values" | "names" | "surrogate" }
  | { fault: null; colons: number; lost: LostNumber | null };

/**
 * Checks a text before JSON.parse and anything recursive: one pass with a counter, because recursive checks overflow at
 * a depth of 1,500, and parsing 60 MB of brackets takes seconds and gigabytes. Strings, most of a text, are skipped by
 * `indexOf`. `lost`: the first number that JavaScript would change.
 */
export function scanJson(text: string, deepest: number): Scan {
  const parts = scanningJson(text, deepest);
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
  }
}

/** The same in parts of some ms each. */
export function* scanningJson(text: string, deepest: number): Generator<void, Scan> {
  if (!text.isWellFormed()) return { fault: "surrogate" };
  const names = new NameCount();
  let lost: LostNumber | null = null;
  let quoted = 0;
  let depth = 0;
  let colons = 0;
  let commas = 0;
  let partEnds = PART;
  let backslash = indexFrom(text, "\\", 0);
  for (let index = 0; index < text.length; index++) {
    if (index > partEnds) {
      partEnds = index + PART;
      yield;
    }
    const char = text.charCodeAt(index);
    // A file may have megabytes of whitespace.
    if (char <= SPACE) continue;
    if (char === QUOTE) {
      const quote = indexFrom(text, '"', index + 1);
      // Only searched again once passed: searching at every string would make the pass quadratic.
      if (backslash < index) backslash = indexFrom(text, "\\", index);
      quoted = index + 1;
      index = quote < backslash ? quote : endOfEscaped(text, backslash);
      if (index === LONE_SURROGATE) return { fault: "surrogate" };
    } else if (char === OPEN_BRACKET || char === OPEN_BRACE) {
      depth += 1;
      if (depth > deepest) return { fault: "depth" };
    } else if (char === CLOSE_BRACKET || char === CLOSE_BRACE) {
      depth -= 1;
    } else if (char >= DIGIT_0 && char <= DIGIT_9) {
      const end = endOfNumber(text, index);
      const offset = index > 0 && text.charCodeAt(index - 1) === MINUS ? index - 1 : index;
      const written = text.slice(offset, end);
      if (lost === null && !isKept(written) && NUMBER.test(written)) lost = { written, offset };
      index = end - 1;
    } else if (char === COLON) {
      colons += 1;
      if (colons > MOST_NAMES && names.add(text, quoted) > MOST_NAMES) return { fault: "names" };
    } else if (char === COMMA) {
      commas += 1;
      if (commas >= MOST_VALUES) return { fault: "values" };
    }
  }
  return { fault: null, colons, lost };
}

/** Counts how many names are different, but for a few. */
class NameCount {
  #seen: Uint8Array | null = null;
  #count = 0;

  /** Adds the key at an index of a text; returns the count. */
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

/** The index after a number, or after whatever follows one in invalid JSON. */
function endOfNumber(text: string, start: number): number {
  let index = start;
  while (IN_NUMBERS.has(text.charCodeAt(index))) index += 1;
  return index;
}

/** The next index of `wanted`; the text's length if there is none. */
function indexFrom(text: string, wanted: string, start: number): number {
  const index = text.indexOf(wanted, start);
  return index === -1 ? text.length : index;
}

/** The index of the quote that ends a string, from its first escape; `LONE_SURROGATE` for half of a pair. */
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

/** The UTF-16 unit of a `\uXXXX` escape at `index`; -1 if there is none. */
function escapedUnit(text: string, index: number): number {
  if (text.charCodeAt(index) !== BACKSLASH || text.charCodeAt(index + 1) !== 0x75) return -1;
  const digits = text.slice(index + 2, index + 6);
  return /^[0-9a-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : -1;
}
