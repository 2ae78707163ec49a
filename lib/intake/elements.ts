import { ImportError } from "./import-error.ts";
import { decode } from "./lines.ts";

/** An element of a JSON array, with its index and the line on which it starts. */
export interface Element {
  index: number;
  line: number;
  text: string;
}

const SILENT = new Set([0x20, 0x09, 0x0a, 0x0d]);
const BYTE_ORDER_MARK = new Set([0xef, 0xbb, 0xbf]);
const NEWLINE = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);
const END_OF_LIST = 0x5d;

/**
 * Splits a JSON array into its elements as it arrives, holding only one of them and the newest chunk; the caller parses
 * them. `held` is called with changes of the number of held bytes. Throws `ImportError` for an element over `limit`
 * bytes and for what is not an array.
 */
export async function* splitElements(
  bytes: AsyncIterable<Uint8Array>,
  limit: number,
  held: (bytes: number) => void,
): AsyncGenerator<Element> {
  const list = new OpenList(limit, held);
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; at += 1) {
      const element = list.take(chunk, at);
      if (element) yield element;
    }
    list.keep(chunk);
  }
  list.end();
}

/** The position within an array. */
class OpenList {
  readonly #limit: number;
  readonly #held: (bytes: number) => void;
  #state: "before" | "first" | "value" | "next" | "after" = "before";
  #line = 1;
  #index = 0;
  #parts: Uint8Array[] = [];
  #length = 0;
  /** The start of the element in this chunk; null outside of one. */
  #start: number | null = null;
  #began = 1;
  #depth = 0;
  #isText = false;
  #isEscaped = false;

  constructor(limit: number, held: (bytes: number) => void) {
    this.#limit = limit;
    this.#held = held;
  }

  /** Processes the byte at an index; returns the element that ends before it. */
  take(chunk: Uint8Array, at: number): Element | null {
    const byte = chunk[at] ?? 0;
    if (byte === NEWLINE) this.#line += 1;
    if (this.#state === "value") return this.#within(chunk, at, byte);
    if (SILENT.has(byte)) return null;
    switch (this.#state) {
      case "before":
        if (BYTE_ORDER_MARK.has(byte)) return null;
        this.#state = "first";
        return null;
      case "first":
      case "next":
        if (byte === END_OF_LIST && this.#state === "first") {
          this.#state = "after";
          return null;
        }
        if (byte === COMMA || byte === END_OF_LIST) throw this.#flaw("a value is missing");
        this.#state = "value";
        this.#start = at;
        this.#began = this.#line;
        return this.#within(chunk, at, byte);
      case "after":
        throw this.#flaw("unexpected content after the end of the list");
      default:
        return this.#state satisfies never;
    }
  }

  #within(chunk: Uint8Array, at: number, byte: number): Element | null {
    if (this.#isText) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) this.#isText = false;
      return null;
    }
    if (byte === QUOTE) this.#isText = true;
    else if (OPEN.has(byte)) this.#depth += 1;
    else if (this.#depth === 0 && (byte === COMMA || byte === END_OF_LIST)) {
      const element = this.#finish(chunk, at);
      this.#state = byte === COMMA ? "next" : "after";
      return element;
    } else if (CLOSE.has(byte)) this.#depth -= 1;
    return null;
  }

  /** Keeps the part of an element that continues in the next chunk. */
  keep(chunk: Uint8Array): void {
    if (this.#state !== "value") return;
    this.#add(chunk.subarray(this.#start ?? 0));
    this.#start = null;
  }

  end(): void {
    if (this.#state !== "after") throw this.#flaw("the list is not closed; the file is incomplete");
  }

  #add(part: Uint8Array): void {
    this.#length += part.length;
    if (this.#length > this.#limit)
      throw new ImportError(
        `the entry ${this.#index + 1} of the list is longer than ${Math.floor(this.#limit / 1024 / 1024)} MB; split its conversation`,
        { line: this.#began, tooLarge: true },
      );
    this.#parts.push(part);
    this.#held(part.length);
  }

  #finish(chunk: Uint8Array, at: number): Element {
    this.#add(chunk.subarray(this.#start ?? 0, at));
    const element = { index: this.#index, line: this.#began, text: decode(this.#parts, this.#began) };
    this.#held(-this.#length);
    this.#index += 1;
    this.#parts = [];
    this.#length = 0;
    this.#start = null;
    return element;
  }

  #flaw(what: string): ImportError {
    return new ImportError(`this is not JSON: ${what}`, { line: this.#line });
  }
}
