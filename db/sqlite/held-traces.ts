import type { WaitingSpan } from "../repositories.ts";

/** What traces hold together in memory, in characters of their spans. */
const MOST_HELD = 16 * 1024 * 1024;

/** A waiting span, and its place among them. */
export interface PlacedSpan {
  place: number;
  span: WaitingSpan;
}

interface Held {
  /** In the order in which they came. */
  spans: PlacedSpan[];
  characters: number;
}

/**
 * Traces whose spans have all come to this process and of which no event is recorded: most traces are, for a few seconds. Their
 * spans are in the table, too; what is held answers without reading there. What is not held is read from the table.
 */
export class HeldTraces {
  readonly #traces = new Map<string, Held>();
  readonly #most: number;
  #characters = 0;

  constructor(most = MOST_HELD) {
    this.#most = most;
  }

  has(traceId: string): boolean {
    return this.#traces.has(traceId);
  }

  /** All waiting spans of a trace; null where it is not held. */
  spansOf(traceId: string): readonly PlacedSpan[] | null {
    return this.#traces.get(traceId)?.spans ?? null;
  }

  /** Begins to hold a trace: nothing of it waits in the table, and no event of it is recorded. */
  begin(traceId: string): void {
    this.#traces.set(traceId, { spans: [], characters: 0 });
  }

  /** Adds a span to a trace that is held, unless there is no room: then all of the trace is let go. */
  add(place: number, span: WaitingSpan): void {
    const held = this.#traces.get(span.trace_id);
    if (!held) return;
    held.spans.push({ place, span });
    held.characters += span.content.length;
    this.#characters += span.content.length;
    if (this.#characters > this.#most) this.letGo(span.trace_id);
  }

  /** From now on the table alone tells of the trace. */
  letGo(traceId: string): void {
    this.#characters -= this.#traces.get(traceId)?.characters ?? 0;
    this.#traces.delete(traceId);
  }

  letAllGo(): void {
    this.#traces.clear();
    this.#characters = 0;
  }
}
