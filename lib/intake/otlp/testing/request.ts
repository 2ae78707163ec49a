import type { Json, JsonObject } from "../../../session/json/json.ts";
import { definitions } from "../protocol/definitions.ts";
import type { Span } from "../span.ts";

/** Spans as a request in OTLP's JSON, each resource and scope once a span. */
export function jsonRequest(spans: readonly Span[]): JsonObject {
  return {
    resourceSpans: spans.map((span) => ({
      resource: { attributes: keyValues(span.resource) },
      scopeSpans: [{ scope: { ...span.scope }, spans: [jsonSpan(span)] }],
    })),
  };
}

/** Spans of one library in one program, as its exporter sends them: the resource and the scope of the first once for all. */
export function exporterRequest(spans: readonly Span[]): JsonObject {
  const [first] = spans;
  if (!first) return { resourceSpans: [] };
  const resource = { attributes: keyValues(first.resource) };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { ...first.scope }, spans: spans.map(jsonSpan) }] }] };
}

/** The same as `jsonRequest` in protobuf. */
export function protobufRequest(spans: readonly Span[]): Promise<Uint8Array<ArrayBuffer>> {
  return protobufTraces(jsonRequest(spans));
}

/** A request of spans in protobuf. */
export async function protobufTraces(request: JsonObject): Promise<Uint8Array<ArrayBuffer>> {
  const { requests } = await definitions();
  const type = requests.ExportTraceServiceRequest;
  const read: unknown = JSON.parse(JSON.stringify(request), (key, value) =>
    /^(trace|span|parentSpan)Id$/.test(key) ? Buffer.from(String(value), "hex") : value,
  );
  return new Uint8Array(type.encode(type.fromObject(read as { [name: string]: unknown })).finish());
}

export function jsonSpan(span: Span): JsonObject {
  return {
    traceId: span.trace_id,
    spanId: span.span_id,
    ...(span.parent_span_id !== null && { parentSpanId: span.parent_span_id }),
    name: span.name,
    kind: 1,
    startTimeUnixNano: String(span.start),
    endTimeUnixNano: String(span.end),
    attributes: keyValues(span.attributes),
    events: span.events.map(({ name, time, attributes }) => ({
      ...{ name, timeUnixNano: String(time), attributes: keyValues(attributes) },
    })),
    status: { code: ["unset", "ok", "error"].indexOf(span.status.code), message: span.status.message },
  };
}

/** Log records of a span as a request in OTLP's JSON; `event`: its name, its time in ns, and its body. */
export function logsRequest(
  span: Pick<Span, "trace_id" | "span_id">,
  ...events: readonly { name: string; time: bigint; body: Json }[]
): JsonObject {
  const logRecords = events.map(({ name, time, body }) => ({
    ...{ timeUnixNano: String(time), traceId: span.trace_id, spanId: span.span_id },
    attributes: keyValues({ "event.name": name, "gen_ai.system": "openai" }),
    body: anyValue(body),
  }));
  return { resourceLogs: [{ scopeLogs: [{ scope: { name: "instrumentation" }, logRecords }] }] };
}

/** The same in protobuf. */
export async function protobufLogs(request: JsonObject): Promise<Uint8Array<ArrayBuffer>> {
  const { requests } = await definitions();
  const type = requests.ExportLogsServiceRequest;
  const read: unknown = JSON.parse(JSON.stringify(request), (key, value) =>
    /^(trace|span)Id$/.test(key) ? Buffer.from(String(value), "hex") : value,
  );
  return new Uint8Array(type.encode(type.fromObject(read as { [name: string]: unknown })).finish());
}

function keyValues(attributes: JsonObject): Json[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));
}

export function anyValue(value: Json): JsonObject {
  if (value === null) return {};
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number")
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  return { kvlistValue: { values: keyValues(value) } };
}
