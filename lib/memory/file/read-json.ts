import { pointerTo } from "../../plan/problem.ts";
import type { Json } from "../../session/json/json.ts";
import { isKept, lineAt, lostWords } from "../../session/json/json-number.ts";

/** A position in a text, from 1. */
export interface Place {
  line: number;
  column: number;
}

/** `placeOf`: where the value at a JSON Pointer starts; of a missing one, where its parent starts. */
export type ReadJson =
  | { ok: true; value: Json; placeOf: (pointer: string) => Place }
  | { ok: false; fault: Place & { message: string } };

/** The nesting limit of requests, so that recursion over the value is safe (E11). */
const MOST_LEVELS = 64;

/** Many times what a memory has. Recording the position of a value takes a microsecond or two. */
const MOST_VALUES = 30_000;

const SPACE = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON has them escaped.
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * Parses JSON with the position of each value. `JSON.parse` has no position for most errors, and silently accepts
 * duplicate keys.
 */
export function readJson(text: string): ReadJson {
  const reader = new Reader(text);
  try {
    const value = reader.whole();
    return { ok: true, value, placeOf: (pointer) => placeAt(text, reader.startOf(pointer)) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { ok: false, fault: { ...placeAt(text, error.offset), message: error.message } };
  }
}

class Fault extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

class Reader {
  /** The start of each value, by its JSON Pointer. */
  readonly #starts = new Map<string, number>();
  readonly #text: string;
  #offset = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): Json {
    const value = this.#value("", 0);
    if (this.#offset < this.#text.length) this.#fail("unexpected text after the end of the document; remove it");
    return value;
  }

  startOf(pointer: string): number {
    return this.#starts.get(pointer) ?? this.startOf(pointer.slice(0, pointer.lastIndexOf("/")));
  }

  /** A value with surrounding whitespace. */
  #value(pointer: string, level: number): Json {
    this.#take(SPACE);
    this.#starts.set(pointer, this.#offset);
    if (this.#starts.size > MOST_VALUES) this.#fail(`the document has more than ${MOST_VALUES} values; remove some`);
    if (level > MOST_LEVELS) this.#fail(`the document is nested deeper than ${MOST_LEVELS} levels; flatten it`);
    const value = this.#takes("{")
      ? this.#object(pointer, level)
      : this.#takes("[")
        ? this.#array(pointer, level)
        : this.#scalar();
    this.#take(SPACE);
    return value;
  }

  #object(pointer: string, level: number): Json {
    const entries = new Map<string, Json>();
    this.#take(SPACE);
    if (this.#takes("}")) return {};
    do {
      this.#take(SPACE);
      const start = this.#offset;
      if (this.#text[start] !== '"') this.#fail("expected a key in double quotes");
      const key = this.#string();
      if (entries.has(key)) this.#fail(`the key ${JSON.stringify(key)} appears twice; remove one of them`, start);
      this.#take(SPACE);
      if (!this.#takes(":")) this.#fail("expected a colon between a key and its value");
      entries.set(key, this.#value(`${pointer}${pointerTo([key])}`, level + 1));
    } while (this.#takes(","));
    if (!this.#takes("}")) this.#fail("expected a comma or the closing }");
    return Object.fromEntries(entries);
  }

  #array(pointer: string, level: number): Json {
    const items: Json[] = [];
    this.#take(SPACE);
    if (this.#takes("]")) return items;
    do items.push(this.#value(`${pointer}/${items.length}`, level + 1));
    while (this.#takes(","));
    if (!this.#takes("]")) this.#fail("expected a comma or the closing ]");
    return items;
  }

  #scalar(): Json {
    const start = this.#offset;
    if (this.#text[start] === '"') return this.#string();
    const text = this.#take(SCALAR);
    if (text === "") this.#fail("expected a value: a string in double quotes, a number, true, false, null, [ or {");
    if (/\d/.test(text) && !isKept(text)) {
      const { shown, fate } = lostWords({ written: text });
      this.#fail(`the number ${shown} ${fate}`, start);
    }
    const value: Json = JSON.parse(text);
    return value;
  }

  #string(): string {
    const start = this.#offset;
    const text = this.#take(STRING);
    if (text === "")
      this.#fail(
        "this string is not terminated, or contains a line break or backslash that must be escaped (\\n, \\\\)",
      );
    const value: string = JSON.parse(text);
    if (!value.isWellFormed())
      this.#fail(
        "this string contains half of a surrogate pair, which is not valid Unicode; write the whole pair",
        start,
      );
    return value;
  }

  #takes(sign: string): boolean {
    const found = this.#text[this.#offset] === sign;
    if (found) this.#offset += 1;
    return found;
  }

  /** The match of a pattern here; "" if there is none. */
  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#offset;
    const [found = ""] = pattern.exec(this.#text) ?? [];
    this.#offset += found.length;
    return found;
  }

  #fail(message: string, offset = this.#offset): never {
    throw new Fault(offset === this.#text.length ? `unexpected end of the document: ${message}` : message, offset);
  }
}

function placeAt(text: string, offset: number): Place {
  const lineStart = text.slice(0, offset).lastIndexOf("\n") + 1;
  return { line: lineAt(text, offset), column: offset - lineStart + 1 };
}
