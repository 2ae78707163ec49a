import type { Span, SpanEvent } from "./span.ts";

/** A span as it is kept until it is told: JSON has no numbers for nanoseconds, so times are texts. */
export type StoredSpan = Omit<Span, "start" | "end" | "events"> & {
  start: string;
  end: string;
  events: StoredEvent[];
};

type StoredEvent = Omit<SpanEvent, "time"> & { time: string };

/** A span as text, to be kept. */
export function printSpan({ resource, scope, ...span }: Span): string {
  const stored: Omit<StoredSpan, "resource" | "scope"> = {
    ...span,
    start: String(span.start),
    end: String(span.end),
    events: span.events.map((event) => ({ ...event, time: String(event.time) })),
  };
  return `${JSON.stringify(stored).slice(0, -1)},"resource":${printShared(resource)},"scope":${printShared(scope)}}`;
}

/** What many spans of a request share is printed once. */
function printShared(shared: Span["resource"] | Span["scope"]): string {
  const known = printed.get(shared);
  if (known !== undefined) return known;
  const text = JSON.stringify(shared);
  printed.set(shared, text);
  return text;
}

const printed = new WeakMap<object, string>();

/** Spans from a list of texts that `printSpan` made. */
export function readSpans(text: string): Span[] {
  const stored: StoredSpan[] = JSON.parse(text);
  return stored.map((span) => ({
    ...span,
    start: BigInt(span.start),
    end: BigInt(span.end),
    events: span.events.map((event) => ({ ...event, time: BigInt(event.time) })),
  }));
}

/** An event of a span as text, to be kept without it. */
export function printEvent(event: SpanEvent): string {
  const stored: StoredEvent = { ...event, time: String(event.time) };
  return JSON.stringify(stored);
}

/** An event from the text that `printEvent` made. */
export function readEvent(text: string): SpanEvent {
  const stored: StoredEvent = JSON.parse(text);
  return { ...stored, time: BigInt(stored.time) };
}
