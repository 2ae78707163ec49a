import type { Transaction } from "../log/transaction.ts";
import { type PlacedSpan, sizeOf } from "../payload/stored-spans.ts";
import type { WaitingSpan, WaitingTrace } from "../repositories.ts";
import type { Writer } from "./log/writer.ts";

/** Steps that take back what a transaction changed in memory, the oldest first. */
export type Undo = (() => void)[];

/** Does `work` in a transaction. What it changes in memory is taken back where it fails, be it for another's fault. */
export async function submitUndoing<T>(writer: Writer, work: (transaction: Transaction, undo: Undo) => T): Promise<T> {
  const undo: Undo = [];
  const undoAll = () => {
    for (let step = undo.pop(); step; step = undo.pop()) step();
  };
  try {
    return await writer.submit((transaction) => {
      try {
        return work(transaction, undo);
      } catch (error) {
        undoAll();
        throw error;
      }
    });
  } catch (error) {
    undoAll();
    throw error;
  }
}

/** What traces hold together in memory, and one of them at most, in bytes or characters of their spans. */
const MOST_HELD = 16 * 1024 * 1024;
const MOST_OF_ONE = 1024 * 1024;

/** A row on disk with spans as they came. */
export interface SpanPart {
  id: number;
  receivedAt: number;
  /** Those that wait, by their places. */
  waiting: Map<number, PlacedSpan>;
  /** What they keep in memory. */
  size: number;
  /** It has spans that do not wait any more. */
  isStale: boolean;
}

interface HeldTrace {
  /** By their ids, in the order in which they came. */
  spans: Map<string, HeldSpan>;
  characters: number;
}

interface HeldSpan extends PlacedSpan {
  receivedAt: number;
  part: SpanPart;
  /** The transaction that stored it failed. */
  isUndone: boolean;
}

/**
 * Traces whose spans have all come to this process and of which no event is recorded: most traces are, for a few seconds. What
 * waits of them is here, and on disk in parts. What waits of all others is in the table of spans.
 *
 * Changes are made within the transaction that writes them, and undone when it fails.
 */
export class HeldTraces {
  readonly #traces = new Map<string, HeldTrace>();
  readonly #parts = new Map<number, SpanPart>();
  /** Those whose spans share their text. */
  readonly #whole = new Set<SpanPart>();
  readonly #most: number;
  #characters = 0;
  #count = 0;
  #lastPart = 0;
  #lastPlace: number;

  /** `lastPlace`: the largest in the table. */
  constructor(lastPlace: number, most = MOST_HELD) {
    this.#lastPlace = lastPlace;
    this.#most = most;
  }

  /** How many spans are held. */
  get count(): number {
    return this.#count;
  }

  has(traceId: string): boolean {
    return this.#traces.has(traceId);
  }

  hasSpan({ trace_id, span_id }: WaitingSpan): boolean {
    return this.#traces.get(trace_id)?.spans.has(span_id) ?? false;
  }

  /** All waiting spans of a trace, in the order in which they came; null where it is not held. */
  spansOf(traceId: string): PlacedSpan[] | null {
    const trace = this.#traces.get(traceId);
    return trace ? [...trace.spans.values()] : null;
  }

  /** Whether a trace may hold more: what has no room goes to the table. */
  hasRoom(traceId: string): boolean {
    if (this.#characters >= this.#most) this.#shrink();
    return this.#characters < this.#most && (this.#traces.get(traceId)?.characters ?? 0) < MOST_OF_ONE;
  }

  /** The traces of which something is held. */
  *waiting(): Generator<WaitingTrace> {
    for (const [trace_id, { spans }] of this.#traces) {
      const times = [...spans.values()].map(({ receivedAt }) => receivedAt);
      yield { trace_id, since: Math.min(...times), newest: Math.max(...times) };
    }
  }

  /** The traces of which a span holds a text. */
  tracesWith(text: string): string[] {
    const holds = ({ span }: HeldSpan) => span.content.includes(text);
    return [...this.#traces].flatMap(([id, { spans }]) => (spans.values().some(holds) ? id : []));
  }

  /** Parts whose rows have more than what waits of them. */
  staleParts(): SpanPart[] {
    return [...this.#parts.values().filter(({ isStale }) => isStale)];
  }

  nextPlace(): number {
    this.#lastPlace += 1;
    return this.#lastPlace;
  }

  /** Adds spans that come in one part, and gives it with what takes them back. */
  add(spans: readonly WaitingSpan[], receivedAt: number): { part: SpanPart; undo: () => void } {
    this.#lastPart += 1;
    const size = sizeTogether(spans);
    const part: SpanPart = { id: this.#lastPart, receivedAt, waiting: new Map(), size, isStale: false };
    const added = spans.map((span): HeldSpan => ({ place: this.nextPlace(), span, receivedAt, part, isUndone: false }));
    for (const one of added) this.#put(one);
    const undo = () => {
      for (const one of added) {
        one.isUndone = true;
        this.#take(one);
      }
    };
    return { part, undo };
  }

  /** Lets go of a trace: its parts are stale from here on. Gives its spans, with what takes it back. */
  letGo(traceId: string): { spans: (PlacedSpan & { receivedAt: number })[]; parts: Set<SpanPart>; undo: () => void } {
    const spans = [...(this.#traces.get(traceId)?.spans.values() ?? [])];
    for (const one of spans) this.#take(one);
    const undo = () => {
      for (const one of spans) if (!one.isUndone) this.#put(one);
    };
    return { spans, parts: new Set(spans.map(({ part }) => part)), undo };
  }

  #put(one: HeldSpan): void {
    const { trace_id, span_id } = one.span;
    const trace = this.#traces.get(trace_id) ?? { spans: new Map(), characters: 0 };
    this.#traces.set(trace_id, trace);
    trace.spans.set(span_id, one);
    trace.characters += sizeOf(one.span);
    if (one.part.waiting.size === 0) {
      this.#parts.set(one.part.id, one.part);
      if (one.span.printed) this.#whole.add(one.part);
      this.#characters += one.part.size;
    }
    one.part.waiting.set(one.place, one);
    this.#count += 1;
  }

  #take(one: HeldSpan): void {
    const { trace_id, span_id } = one.span;
    const trace = this.#traces.get(trace_id);
    if (trace?.spans.get(span_id) !== one) return;
    const { part } = one;
    trace.spans.delete(span_id);
    trace.characters -= sizeOf(one.span);
    if (trace.spans.size === 0) this.#traces.delete(trace_id);
    part.waiting.delete(one.place);
    part.isStale = true;
    this.#count -= 1;
    if (part.waiting.size > 0) return;
    this.#parts.delete(part.id);
    this.#whole.delete(part);
    this.#characters -= part.size;
  }

  /** Where most of a part does not wait any more, gives the rest texts of their own: one span keeps the text of all in memory. */
  #shrink(): void {
    for (const part of this.#whole) {
      const rest = [...part.waiting.values()];
      if (rest.length * 2 > (rest[0]?.span.printed?.text.count ?? 0)) continue;
      for (const one of rest) one.span = alone(one.span);
      this.#whole.delete(part);
      this.#characters -= part.size;
      part.size = sizeTogether(rest.map(({ span }) => span));
      this.#characters += part.size;
    }
  }
}

/** What spans keep in memory: the texts that they share count once. */
function sizeTogether(spans: readonly WaitingSpan[]): number {
  const texts = new Set(spans.flatMap(({ printed }) => printed?.text ?? []));
  const shared = [...texts].reduce((sum, { bytes }) => sum + bytes.length, 0);
  return spans.reduce((sum, span) => sum + (span.printed ? 0 : span.content.length), shared);
}

function alone({ trace_id, span_id, parent_span_id, content }: WaitingSpan): WaitingSpan {
  return { trace_id, span_id, parent_span_id, content };
}
