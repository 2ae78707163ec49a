import { createYielder } from "../../event-loop/yielding.ts";
import type { Json, JsonObject } from "../../session/json/json.ts";
import { arrayOf, attributesOf, BadSpan, fieldOf, shown, textOf } from "./attribute-values.ts";
import type { Span, SpanEvent } from "./span.ts";

/** What came in one request: the spans that hold, and why the others do not. */
export interface Decoded {
  spans: Span[];
  /** `message` names the first few; empty where all hold. */
  rejected: { count: number; message: string };
}

/** The request as a whole cannot be read, or is not for its size. `message` is a sentence. */
export class MalformedSpans extends Error {
  override readonly name = "MalformedSpans";
  readonly tooLarge: boolean;

  constructor(message: string, { tooLarge = false, ...options }: ErrorOptions & { tooLarge?: boolean } = {}) {
    super(message, options);
    this.tooLarge = tooLarge;
  }
}

/** So many refused spans are named in the answer. */
const MOST_NAMED = 3;
/** Spans of one request: collectors send up to 10,000. Of empty ones, 20 MB are 10 million. */
const MOST_SPANS = 50_000;
/** What a resource and a scope say is kept with each of their spans: of all together so many characters, for 10 MB said once are 100 GB. */
const MOST_SHARED = 64 * 1024 * 1024;

/** Spans of one resource, as either encoding has them. */
export interface ResourceGroup {
  resource: unknown;
  scopes: Iterable<{ scope: unknown; spans: Iterable<unknown> }>;
}

/** Reads a request in OTLP's JSON (E15). What is not known is ignored. Throws `MalformedSpans`. */
export function decodeJson(request: Json): Promise<Decoded> {
  return decodeGroups(groupsIn(request));
}

/** Reads the groups of a request, whose fields have the names that both encodings share; others have the thread now and then. Throws `MalformedSpans`. */
export async function decodeGroups(groups: Iterable<ResourceGroup>): Promise<Decoded> {
  const decoded: Decoded = { spans: [], rejected: { count: 0, message: "" } };
  const yielder = createYielder();
  let shared = 0;
  for (const group of groups) {
    if (yielder.isDue()) await yielder.yieldOnce();
    const resource = partOf(() => attributesOf(fieldOf(group.resource, "attributes")));
    for (const { scope: said, spans } of group.scopes) {
      if (yielder.isDue()) await yielder.yieldOnce();
      const scope = partOf(() => scopeOf(said));
      const size = JSON.stringify([resource, scope]).length;
      for (const span of spans) {
        if (yielder.isDue()) await yielder.yieldOnce();
        if (decoded.spans.length + decoded.rejected.count === MOST_SPANS) throw tooManySpans();
        take(decoded, span, { resource, scope });
        shared += size;
        if (shared > MOST_SHARED)
          throw new MalformedSpans(
            `The resources and scopes are more than ${MOST_SHARED / 1024 / 1024} MB when each span has its own; send smaller ones, or fewer spans`,
            { tooLarge: true },
          );
      }
    }
  }
  return decoded;
}

function tooManySpans(): MalformedSpans {
  return new MalformedSpans(`The request has more than ${MOST_SPANS} spans; send it in smaller parts`, {
    tooLarge: true,
  });
}

function* groupsIn(request: unknown): Generator<ResourceGroup> {
  if (typeof request !== "object" || request === null || Array.isArray(request))
    throw new MalformedSpans("The body is not an object with resourceSpans; send an ExportTraceServiceRequest");
  for (const group of listIn(request, "resourceSpans"))
    yield { resource: fieldOf(group, "resource"), scopes: scopesIn(group) };
}

function* scopesIn(group: unknown): Generator<{ scope: unknown; spans: unknown[] }> {
  // The second name is of before 2022.
  for (const [spansOf, scopeName] of [
    [listIn(group, "scopeSpans"), "scope"],
    [listIn(group, "instrumentationLibrarySpans"), "instrumentationLibrary"],
  ] as const) {
    for (const part of spansOf) {
      const spans = listIn(part, "spans");
      if (spans.length > MOST_SPANS) throw tooManySpans();
      yield { scope: fieldOf(part, scopeName), spans };
    }
  }
}

function listIn(value: unknown, name: string): unknown[] {
  const list = fieldOf(value, name);
  if (list !== undefined && !Array.isArray(list))
    throw new MalformedSpans(`${name} is not a list; send an ExportTraceServiceRequest`);
  return list ?? [];
}

/** What all spans of a group have in common; where it does not hold, none of them does. */
type Common<T> = { value: T } | { fault: BadSpan };

function partOf<T>(read: () => T): Common<T> {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof BadSpan) return { fault: error };
    throw error;
  }
}

function take(
  { spans, rejected }: Decoded,
  value: unknown,
  { resource, scope }: { resource: Common<JsonObject>; scope: Common<Span["scope"]> },
): void {
  const span = partOf(() => {
    if ("fault" in resource) throw resource.fault;
    if ("fault" in scope) throw scope.fault;
    return spanOf(value, resource.value, scope.value);
  });
  if ("value" in span) {
    spans.push(span.value);
    return;
  }
  rejected.count += 1;
  if (rejected.count <= MOST_NAMED)
    rejected.message += `${rejected.message && " "}${named(value)}: ${span.fault.message}.`;
  else if (rejected.count === MOST_NAMED + 1) rejected.message += " Others were refused, too.";
}

function named(span: unknown): string {
  const name = fieldOf(span, "name");
  return typeof name === "string" && name !== "" ? `The span ${shown(name)} was refused` : "A span was refused";
}

function spanOf(value: unknown, resource: JsonObject, scope: Span["scope"]): Span {
  if (typeof value !== "object" || value === null) throw new BadSpan("it is not an object");
  const span: Span = {
    trace_id: idOf(value, "traceId", 16),
    span_id: idOf(value, "spanId", 8),
    parent_span_id: parentOf(value),
    name: textOf(fieldOf(value, "name") ?? ""),
    start: timeOf(value, "startTimeUnixNano"),
    end: timeOf(value, "endTimeUnixNano"),
    attributes: attributesOf(fieldOf(value, "attributes")),
    events: arrayOf(fieldOf(value, "events")).map(eventOf),
    status: statusOf(fieldOf(value, "status")),
    resource,
    scope,
  };
  if (span.end < span.start) throw new BadSpan("it ends before it starts");
  if (span.parent_span_id === span.span_id) throw new BadSpan("it names itself as its parent");
  return span;
}

function eventOf(event: unknown): SpanEvent {
  return {
    name: textOf(fieldOf(event, "name") ?? ""),
    time: timeOf(event, "timeUnixNano"),
    attributes: attributesOf(fieldOf(event, "attributes")),
  };
}

function scopeOf(scope: unknown): Span["scope"] {
  return { name: textOf(fieldOf(scope, "name") ?? ""), version: textOf(fieldOf(scope, "version") ?? "") };
}

/** Bytes in protobuf, hex in JSON. */
function idOf(span: unknown, name: string, bytes: number): string {
  const id = hexOf(fieldOf(span, name));
  if (id?.length !== bytes * 2 || /^0*$/.test(id))
    throw new BadSpan(`its ${name} is not ${bytes} bytes (${bytes * 2} hex digits) that are not all zero`);
  return id;
}

function parentOf(span: unknown): string | null {
  const name = "parentSpanId";
  const id = hexOf(fieldOf(span, name) ?? "");
  return id !== null && /^0*$/.test(id) ? null : idOf(span, name, 8);
}

function hexOf(id: unknown): string | null {
  if (id instanceof Uint8Array) return Buffer.from(id.buffer, id.byteOffset, id.byteLength).toString("hex");
  return typeof id === "string" && /^[0-9a-f]*$/i.test(id) ? id.toLowerCase() : null;
}

function timeOf(value: unknown, name: string): bigint {
  const text = String(fieldOf(value, name) ?? 0);
  if (!/^\d{1,20}$/.test(text)) throw new BadSpan(`its ${name} is not a count of nanoseconds`);
  return BigInt(text);
}

const CODES: Record<string, Span["status"]["code"]> = {
  "1": "ok",
  "2": "error",
  STATUS_CODE_OK: "ok",
  STATUS_CODE_ERROR: "error",
};

function statusOf(status: unknown): Span["status"] {
  const code = String(fieldOf(status, "code") ?? 0);
  return {
    code: Object.hasOwn(CODES, code) ? (CODES[code] ?? "unset") : "unset",
    message: textOf(fieldOf(status, "message") ?? ""),
  };
}
