import type { SpanText, WaitingSpan } from "../../db/repositories.ts";
import { awaitsLogs } from "../intake/otlp/conventions/gen-ai-events.ts";
import { MILLISECOND } from "../intake/otlp/mapping/tree.ts";
import type { Span } from "../intake/otlp/span.ts";
import { printSpan } from "../intake/otlp/stored-span.ts";

/** What is known of a span beside its text; a list, which is cheaper to copy between threads than an object with names. */
type SpanHead = [
  trace_id: string,
  span_id: string,
  parent_span_id: string | null,
  began: number,
  awaitsLogs: boolean,
  /** Where its content stands in the text of its part. */
  from: number,
  to: number,
];

/** Spans that are stored in one transaction, with their text as it is stored. */
export interface SpanPart {
  heads: SpanHead[];
  text: Uint8Array<ArrayBuffer>;
}

/** A span as stored until its trace is mapped. Its content stays in the text of its part, outside of V8's heap. */
export class ReceivedSpan implements WaitingSpan {
  readonly trace_id: string;
  readonly span_id: string;
  readonly parent_span_id: string | null;
  readonly printed: NonNullable<WaitingSpan["printed"]>;
  /** Its start, epoch ms. */
  readonly began: number;
  /** What it holds comes as logs, if at all. */
  readonly awaitsLogs: boolean;

  constructor([trace_id, span_id, parent_span_id, began, awaits, from, to]: SpanHead, text: SpanText) {
    this.trace_id = trace_id;
    this.span_id = span_id;
    this.parent_span_id = parent_span_id;
    this.printed = { text, from, to };
    this.began = began;
    this.awaitsLogs = awaits;
  }

  get content(): string {
    const { text, from, to } = this.printed;
    return Buffer.from(text.bytes.buffer, text.bytes.byteOffset + from, to - from).toString();
  }
}

/** The spans of a part. */
export function spansOf({ heads, text }: SpanPart): ReceivedSpan[] {
  const whole = { bytes: text, count: heads.length };
  return heads.map((head) => new ReceivedSpan(head, whole));
}

/** How much text a span has: bytes, or characters. */
export function sizeOf(span: WaitingSpan): number {
  return span.printed ? span.printed.to - span.printed.from : span.content.length;
}

/** The contents of spans as one text, a list of JSON in UTF-8. */
export function contentsOf(spans: readonly WaitingSpan[]): Uint8Array<ArrayBuffer> {
  const contents = spans.map((span) => bytesOf(span));
  const length = contents.reduce((sum, { length }) => sum + length + 1, 1);
  const list = new Uint8Array(Math.max(length, EMPTY_LIST));
  list[0] = LIST_BEGINS;
  let end = 1;
  for (const content of contents) {
    if (end > 1) list[end++] = COMMA;
    list.set(content, end);
    end += content.length;
  }
  list[end] = LIST_ENDS;
  return list;
}

const [LIST_BEGINS, COMMA, LIST_ENDS] = [0x5b, 0x2c, 0x5d];
const EMPTY_LIST = 2;

function bytesOf(span: WaitingSpan): Uint8Array {
  if (!span.printed) return Buffer.from(span.content);
  const { text, from, to } = span.printed;
  return text.bytes.subarray(from, to);
}

/** Spans or logs a transaction, about 5 ms: a collector sends thousands. */
export const KEPT_AT_ONCE = 200;

const FIRST_BYTES = 64 * 1024;
/** A character of a text takes so many bytes at most. */
const BYTES_OF_CHARACTER = 3;

/**
 * Prints spans one by one, so that none of them has to be kept until the last: of 512 in a request, all would be copied by V8's
 * collector.
 */
export class SpanPrinter {
  readonly #parts: SpanPart[] = [];
  #heads: SpanHead[] = [];
  #buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #length = 0;

  add(span: Span): void {
    const { trace_id, span_id, parent_span_id, start } = span;
    const parent = parent_span_id === null ? "null" : `"${parent_span_id}"`;
    this.#write(`${this.#heads.length === 0 ? "[" : ","}["${trace_id}","${span_id}",${parent},`);
    const from = this.#length;
    this.#write(printSpan(span));
    const to = this.#length;
    this.#write("]");
    const began = Number(start / MILLISECOND);
    this.#heads.push([trace_id, span_id, parent_span_id, began, awaitsLogs(span), from, to]);
    if (this.#heads.length === KEPT_AT_ONCE) this.#endPart();
  }

  /** All that were printed. */
  end(): SpanPart[] {
    if (this.#heads.length > 0) this.#endPart();
    return this.#parts;
  }

  #endPart(): void {
    this.#write("]");
    this.#parts.push({ heads: this.#heads, text: new Uint8Array(this.#buffer.subarray(0, this.#length)) });
    this.#heads = [];
    this.#length = 0;
  }

  #write(text: string): void {
    const most = this.#length + text.length * BYTES_OF_CHARACTER;
    if (most > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(most * 2);
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    this.#length += this.#buffer.write(text, this.#length);
  }
}
