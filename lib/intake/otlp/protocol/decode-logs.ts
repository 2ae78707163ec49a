import { isJsonObject, type Json, type JsonObject } from "../../../session/json/json.ts";
import { embedded } from "../attributes.ts";
import type { Span, SpanEvent } from "../span.ts";
import { anyValueOf, attributesOf, BadSpan, fieldOf, textOf } from "./attribute-values.ts";
import { idOf, type Signal, timeOf } from "./decode.ts";

/** A log record, as far as it is one of a span's events that came apart from it. */
export interface LogRecord {
  /** The span that it belongs to; null for none. */
  span: { trace_id: string; span_id: string } | null;
  /** Its name is empty for a log that is no event. What its body holds is among its attributes. */
  event: SpanEvent;
  scope: Span["scope"];
}

/** Logs (E15): OpenTelemetry's instrumentations of models have messages there. */
export const LOGS: Signal<LogRecord> = {
  request: "ExportLogsServiceRequest",
  resources: "resourceLogs",
  scopes: [["scopeLogs", "scope"]],
  items: "logRecords",
  item: "log record",
  read: recordOf,
};

function recordOf(value: unknown, _: JsonObject, scope: Span["scope"]): LogRecord {
  if (typeof value !== "object" || value === null) throw new BadSpan("it is not an object");
  const { "event.name": older, ...attributes } = attributesOf(fieldOf(value, "attributes"));
  const name = textOf(fieldOf(value, "eventName") ?? "");
  // An event may have no time of its own, but that at which it was seen.
  const time = timeOf(value, "timeUnixNano") || timeOf(value, "observedTimeUnixNano");
  return {
    span: spanOf(value),
    event: {
      name: name || (typeof older === "string" ? older : ""),
      time,
      attributes: { ...attributes, ...within(anyValueOf(fieldOf(value, "body"), "body")) },
    },
    scope,
  };
}

function spanOf(value: object): LogRecord["span"] {
  if (!isThere(fieldOf(value, "traceId")) || !isThere(fieldOf(value, "spanId"))) return null;
  return { trace_id: idOf(value, "traceId", 16), span_id: idOf(value, "spanId", 8) };
}

/** An id of zeros is none. */
function isThere(id: unknown): boolean {
  if (id instanceof Uint8Array) return id.some((byte) => byte !== 0);
  return id !== undefined && !(typeof id === "string" && /^0*$/u.test(id));
}

/** An event's body is an object, which some exporters print; another body is a content. */
function within(body: Json): JsonObject {
  const read = typeof body === "string" ? embedded(body) : body;
  if (isJsonObject(read)) return read;
  return body === null ? {} : { content: body };
}
