import type { Json } from "../../lib/session/json/json.ts";
import { Conflict } from "../errors.ts";
import type { Transaction } from "../log/transaction.ts";
import type { EventValues, Run } from "../log/writes.ts";
import type { MostNews, PreparedEvent, ToldEvent, TraceNews, WaitingSpan } from "../spans.ts";
import type { StorageLogger } from "../storage.ts";
import { AS_IT_COMES, type Redact } from "./stored-payload.ts";

/** A waiting span, and its place among them: later ones have larger numbers. */
export interface PlacedSpan {
  place: number;
  span: WaitingSpan;
}

/** An event that a span was mapped to, as it is read: its payload is text, or null if it was not requested. */
export interface ToldRow extends Omit<ToldEvent, "payload"> {
  payload: string | null;
}

/** How much text a span has: bytes, or characters. */
export function sizeOf(span: WaitingSpan): number {
  return span.printed ? span.printed.to - span.printed.from : span.content.length;
}

/** The first of a trace's waiting spans, up to the size of a page; the others are not read. */
export function firstSpans(waiting: Iterable<PlacedSpan>, most: MostNews): Pick<TraceNews, "spans" | "upTo"> {
  const spans: WaitingSpan[] = [];
  let upTo = 0;
  let left = most.characters;
  for (const { place, span } of waiting) {
    spans.push(span);
    upTo = place;
    left -= sizeOf(span);
    if (left <= 0 || spans.length === most.spans) break;
  }
  return { spans, upTo };
}

/** Whose event stands there first keeps it: one that cannot be told must not keep the others from it, and is logged. `insert` writes their rows, where it is not as usual. */
export function appendTold(
  transaction: Transaction,
  events: readonly PreparedEvent[],
  logger: Pick<StorageLogger, "warn">,
  insert?: Run<EventValues>,
): void {
  for (const event of events) {
    try {
      transaction.appendPrepared(event, insert);
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      logger.warn({ err: error, event_id: event.id }, "An event of a span was refused");
    }
  }
}

/** A span's JSON without what is not to be stored; most has nothing of it, and is stored as it came. */
export function redactSpan(span: WaitingSpan, redact: Redact): WaitingSpan {
  if (redact === AS_IT_COMES) return span;
  const content: Json = JSON.parse(span.content);
  const redacted = redact(content);
  if (redacted === content) return span;
  const { trace_id, span_id, parent_span_id } = span;
  return { trace_id, span_id, parent_span_id, content: JSON.stringify(redacted) };
}

/** All ids that begin with a prefix that ends with a colon: `;` follows it. */
export function idsFrom(prefix: string): { from: string; to: string } {
  return { from: prefix, to: `${prefix.slice(0, -1)};` };
}

export function toTold({ payload, ...event }: ToldRow): ToldEvent {
  return { ...event, payload: payload === null ? null : JSON.parse(payload) };
}
