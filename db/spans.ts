import type { EventIndexColumns } from "../lib/session/events/event-index-columns.ts";
import type { Json } from "../lib/session/json/json.ts";
import type { NewEvent } from "./repositories.ts";

/** A span in the trace buffer (E15). */
export interface WaitingSpan {
  trace_id: string;
  span_id: string;
  parent_span_id: string | null;
  /** The span as text, in the format of the caller. */
  content: string;
  /** Where the content stands in the text of the spans that it came with: what can use that need not make a text of its own. */
  printed?: PrintedPlace;
}

/** Spans as JSON in UTF-8: a list of `[trace_id, span_id, parent_span_id, content]`. */
export interface SpanText {
  bytes: Uint8Array;
  /** How many spans it has. */
  count: number;
}

/** A part of it, in bytes. */
export interface PrintedPlace {
  text: SpanText;
  from: number;
  to: number;
}

/** A trace with waiting spans. */
export interface WaitingTrace {
  trace_id: string;
  /** When the first and the newest arrived, epoch ms. */
  since: number;
  newest: number;
}

/** An event that a span was mapped to. */
export interface ToldEvent {
  id: string;
  type: string;
  conversation_id: string;
  run_id: string | null;
  call_id: string | null;
  iteration: number | null;
  /** Null if it was not requested. */
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

/** The maximum size of a page of a trace, which bounds memory. */
export interface MostNews {
  spans: number;
  /** Characters of span content; the span that exceeds it is the last. */
  characters: number;
}

/** The mapped events of a trace, and its waiting spans. */
export interface TraceNews {
  /** In order of arrival. */
  spans: WaitingSpan[];
  /** In the order of the log; with payloads for the requested types. */
  told: ToldEvent[];
  /** Distinguishes these spans from those that arrive later. */
  upTo: number;
}

/**
 * The trace buffer: spans that wait to be mapped to events. A span is mapped if the log has events whose ids begin with
 * `otlp:<trace_id>:<span_id>:`, apart from those of an import that may still be cancelled.
 */
export interface SpanStore {
  /** Stores spans, durably; those that exist or are mapped are ignored. Returns the traces of the new ones. */
  keep(spans: readonly WaitingSpan[]): Promise<string[]>;
  /** Traces with waiting spans. */
  waiting(): Promise<WaitingTrace[]>;
  /** Those of which nothing has arrived for `ms`, and which nobody maps: a replica that ended may have left them. */
  abandoned(ms: number): Promise<WaitingTrace[]>;
  /** Whether the parents of all waiting spans of a trace are waiting or mapped. */
  isWhole(traceId: string): Promise<boolean>;
  /**
   * The waiting spans of a trace, at most `most`. If the process ended while some were being mapped, returns only
   * those, as if none of them was mapped, so that they are mapped in the same way. None while another replica maps the
   * trace.
   */
  news(traceId: string, payloadsOf: readonly string[], most: MostNews): Promise<TraceNews>;
  /**
   * The newest `limit` messages of a conversation, oldest first, without those of the trace's waiting spans; null: no
   * such conversation.
   */
  saidBefore(
    conversationId: string,
    traceId: string,
    limit: number,
  ): Promise<{ role: string; content: string }[] | null>;
  /**
   * Appends the events of a trace's spans, and deletes the spans with the last of them. Events whose ids exist are
   * ignored, whichever conversation has them. Appends nothing if another replica has begun to map the trace since it was
   * read. Returns whether spans of the trace are still waiting.
   */
  tell(traceId: string, upTo: number, events: readonly PreparedEvent[], isLast: boolean): Promise<boolean>;
}
