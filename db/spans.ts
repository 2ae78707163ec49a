import type { EventIndexColumns } from "../lib/session/event-index-columns.ts";
import type { Json } from "../lib/session/json/json.ts";
import type { NewEvent } from "./repositories.ts";

/** A span of OpenTelemetry that waits to be told (E15). */
export interface WaitingSpan {
  trace_id: string;
  span_id: string;
  parent_span_id: string | null;
  /** The span as text, as whoever reads it again wrote it. */
  content: string;
}

/** A trace with spans that wait. */
export interface WaitingTrace {
  trace_id: string;
  /** When the first and the newest of them came, epoch ms. */
  since: number;
  newest: number;
}

/** An event that a trace's spans have told. */
export interface ToldEvent {
  id: string;
  type: string;
  conversation_id: string;
  run_id: string | null;
  call_id: string | null;
  iteration: number | null;
  /** Null where it was not asked for. */
  payload: Json;
}

/** An event whose row has been made ready outside of the writer. */
export interface PreparedEvent extends Omit<NewEvent, "payload"> {
  /** The payload as text. */
  text: string;
  /** `occurred_at` in epoch ms. */
  occurredAt: number | null;
  /** The index columns of the payload. */
  columns: EventIndexColumns;
}

/** How much of a trace is read at a time: what it holds in memory has an end, however large it is. */
export interface MostNews {
  spans: number;
  /** Of the spans' content; the span that passes it is the last. */
  characters: number;
}

/** What of a trace was told before, and what is told now. */
export interface TraceNews {
  /** In the order in which they came. */
  spans: WaitingSpan[];
  /** In the order in which they were told; with the payloads of the types that were asked for. */
  told: ToldEvent[];
  /** What tells these spans from those that come later. */
  upTo: number;
}

/**
 * Spans on their way into the log. A span is known to be told by the log itself: the ids of its events begin with
 * `otlp:<trace_id>:<span_id>:`.
 */
export interface SpanStore {
  /** Keeps spans; one that is kept, or was told, changes nothing. On disk when it resolves. Gives the traces of the new ones. */
  keep(spans: readonly WaitingSpan[]): Promise<string[]>;
  /** The traces that have spans which wait. */
  waiting(): Promise<WaitingTrace[]>;
  /** Whether the parents of all of a trace's waiting spans wait, too, or are told. */
  isWhole(traceId: string): Promise<boolean>;
  /**
   * What waits of a trace, the first of it where it is more than `most`. What was not told to its end, because the process
   * ended, is given alone, and as if nothing of it was told: so the same spans are told the same way.
   */
  news(traceId: string, payloadsOf: readonly string[], most: MostNews): Promise<TraceNews>;
  /** What was said in a conversation, the newest `limit` messages, oldest first, those of the trace's waiting spans left out; null: no such conversation. */
  saidBefore(
    conversationId: string,
    traceId: string,
    limit: number,
  ): Promise<{ role: string; content: string }[] | null>;
  /**
   * Appends events that the trace's spans tell, and with the last of them forgets the spans. An event whose id exists changes
   * nothing, whichever conversation has it. Tells whether spans of the trace wait after it.
   */
  tell(traceId: string, upTo: number, events: readonly PreparedEvent[], isLast: boolean): Promise<boolean>;
}
