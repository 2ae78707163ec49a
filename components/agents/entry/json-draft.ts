import type { Json } from "@/lib/session/json/json.ts";
import { isKept } from "@/lib/session/json/json-number.ts";

/** What is wrong with a text that should be JSON. */
export type JsonErrorKind = "value" | "key" | "colon" | "comma" | "text" | "escape" | "rest" | "depth" | "number";

/** Where a text stops being valid JSON; line and column count from 1. */
export interface JsonFlaw {
  kind: JsonErrorKind;
  line: number;
  column: number;
}

/** The parsed value of a text, or its first error. */
export type JsonDraft = { ok: true; value: Json } | { ok: false; flaw: JsonFlaw };

/** The API's limit (E11). */
const DEPTH = 64;

/** Parses JSON and reports the first error. */
export function readJsonDraft(text: string): JsonDraft {
  const found = findFlaw(text);
  if (found === null) return { ok: true, value: JSON.parse(text) };
  const before = text.slice(0, found.position);
  const line = before.split("\n").length;
  return { ok: false, flaw: { kind: found.kind, line, column: found.position - before.lastIndexOf("\n") } };
}

/** JSON.parse has no position for most errors, and its messages are English only. */
function findFlaw(text: string): { kind: JsonErrorKind; position: number } | null {
  const reader = new Reader(text);
  try {
    reader.value(0);
    reader.end();
    return null;
  } catch (error) {
    if (error instanceof Flaw) return { kind: error.kind, position: error.position };
    throw error;
  }
}

class Flaw extends Error {
  readonly kind: JsonErrorKind;
  readonly position: number;
  constructor(kind: JsonErrorKind, position: number) {
    super(kind);
    this.kind = kind;
    this.position = position;
  }
}

const SPACES = /[ \t\r\n]*/y;
const PLAIN = /(true|false|null|-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?)(?![\w.+-])/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them as they are
const CHARACTERS = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** A recursive descent parser of RFC 8259. */
class Reader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  value(depth: number): void {
    if (depth > DEPTH) throw new Flaw("depth", this.at);
    this.match(SPACES);
    if (this.take("{")) this.members("}", () => this.member(depth));
    else if (this.take("[")) this.members("]", () => this.value(depth + 1));
    else if (this.text[this.at] === '"') this.string();
    else this.plain();
  }

  end(): void {
    this.match(SPACES);
    if (this.at < this.text.length) throw new Flaw("rest", this.at);
  }

  private members(close: string, read: () => void): void {
    this.match(SPACES);
    if (this.take(close)) return;
    for (;;) {
      read();
      const end = this.at;
      this.match(SPACES);
      if (this.take(close)) return;
      // Reported where the value ends, which may be some lines before the next token.
      if (!this.take(",")) throw new Flaw("comma", end);
    }
  }

  private member(depth: number): void {
    this.match(SPACES);
    if (this.text[this.at] !== '"') throw new Flaw("key", this.at);
    this.string();
    this.match(SPACES);
    if (!this.take(":")) throw new Flaw("colon", this.at);
    this.value(depth + 1);
  }

  private plain(): void {
    const start = this.at;
    if (!this.match(PLAIN)) throw new Flaw("value", start);
    const written = this.text.slice(start, this.at);
    // It would be sent as another number.
    if (/\d/.test(written) && !isKept(written)) throw new Flaw("number", start);
  }

  private string(): void {
    this.at += 1;
    for (;;) {
      this.match(CHARACTERS);
      if (this.take('"')) return;
      if (this.text[this.at] !== "\\") throw new Flaw("text", this.at);
      if (!this.match(ESCAPE)) throw new Flaw("escape", this.at);
    }
  }

  private take(sign: string): boolean {
    if (this.text[this.at] !== sign) return false;
    this.at += 1;
    return true;
  }

  private match(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return false;
    this.at = pattern.lastIndex;
    return true;
  }
}
