import { hasDotSegment } from "../../session/dot-segments.ts";

/** The longest identifier that an event can hold. */
const LONGEST = 200;

/** The id of a trace's first run: known before its span has come. */
export function firstRunId(traceId: string): string {
  return `otlp:${traceId}`;
}

/** The id of a run that a span is, where it is not the trace's first. */
export function runId(traceId: string, spanId: string): string {
  return `otlp:${traceId}:${spanId}`;
}

/** The id of an event that a span tells: the same whenever it is told, so that telling again changes nothing. */
export function eventId(traceId: string, spanId: string, what: string): string {
  return `${spanPrefix(traceId, spanId)}${what}`;
}

/** What the ids of all events of a span begin with. */
export function spanPrefix(traceId: string, spanId: string): string {
  return `otlp:${traceId}:${spanId}:`;
}

/** The id of an event of a run whose span has not come. No span's id is `awaited`, so that it is not taken for told. */
export function awaitedId(traceId: string, spanId: string, what: string): string {
  return `otlp:${traceId}:awaited:${spanId}:${what}`;
}

/** An outside name as an identifier: one line, and not too long. Null where nothing of it is left. */
export function identifierOf(name: string | null, prefix = ""): string | null {
  const line = name?.replace(/\p{Cc}+/gu, " ").trim() ?? "";
  if (line === "") return null;
  const id = cut(prefix + line, LONGEST);
  return hasDotSegment(id) ? id.replaceAll(/[.%]/g, "_") : id;
}

/** Cuts a text between characters. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = text.slice(0, length);
  return end.isWellFormed() ? end : end.slice(0, -1);
}

/** The second of the last answer, and how its times begin. */
let lastSecond = Number.NaN;
let lastText = "";

/** Nanoseconds as the time of an event. */
export function timeOf(nanoseconds: bigint): string {
  const ms = Number(nanoseconds / 1_000_000n);
  const second = Math.floor(ms / 1_000);
  // A trace has many times of one second, and a `Date` takes long to print.
  if (second !== lastSecond) {
    lastText = new Date(second * 1_000).toISOString().slice(0, -"000Z".length);
    lastSecond = second;
  }
  return `${lastText}${String(ms - second * 1_000).padStart(3, "0")}Z`;
}
