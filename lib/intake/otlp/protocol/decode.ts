import { createYielder } from "../../../event-loop/yielding.ts";
import type { Json, JsonObject } from "../../../session/json/json.ts";
import type { Span, SpanEvent } from "../span.ts";
import { arrayOf, attributesOf, BadSpan, fieldOf, shown, textOf } from "./attribute-values.ts";

/** Why items of a request were refused. `message` names the first few; empty where all hold. */
export interface Rejected {
  count: number;
  message: string;
}

/** What came in one request: the spans that hold, and why the others do not. */
export interface Decoded {
  spans: Span[];
  rejected: Rejected;
}

/** How the requests of a signal are laid out, in either encoding, and how one of its items is read. */
export interface Signal<T> {
  /** The message that exporters send. */
  request: "ExportTraceServiceRequest" | "ExportLogsServiceRequest";
  /** The field with what is grouped by resource. */
  resources: string;
  /** The fields with what is grouped by scope, and their fields with the scope. */
  scopes: readonly (readonly [list: string, scope: string])[];
  items: string;
  /** An item, in a sentence. */
  item: string;
  /** Throws `BadSpan`. */
  read(value: unknown, resource: JsonObject, scope: Span["scope"]): T;
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

/** Spans; the second name of their groups is of before 2022. */
export const SPANS: Signal<Span> = {
  request: "ExportTraceServiceRequest",
  resources: "resourceSpans",
  scopes: [
    ["scopeSpans", "scope"],
    ["instrumentationLibrarySpans", "instrumentationLibrary"],
  ],
  items: "spans",
  item: "span",
  read: spanOf,
};

/** So many refused items are named in the answer. */
const MOST_NAMED = 3;
/** Items of one request: collectors send up to 10,000. Of empty ones, 20 MB are 10 million. */
const MOST_ITEMS = 50_000;
/** What a resource and a scope say is kept with each of their items: of all together so many characters, for 10 MB said once are 100 GB. */
const MOST_SHARED = 64 * 1024 * 1024;

/** Items of one resource, as either encoding has them. */
export interface ResourceGroup {
  resource: unknown;
  scopes: Iterable<{ scope: unknown; items: Iterable<unknown> }>;
}

/** Reads a request in OTLP's JSON (E15). What is not known is ignored. Throws `MalformedSpans`. */
export async function decodeJson(request: Json): Promise<Decoded> {
  const { items, rejected } = await decodeJsonOf(SPANS, request);
  return { spans: items, rejected };
}

/** Reads a request of any signal in OTLP's JSON. Throws `MalformedSpans`. */
export function decodeJsonOf<T>(signal: Signal<T>, request: Json): Promise<DecodedItems<T>> {
  return decodeGroups(signal, groupsIn(signal, request));
}

/** The items of a request that hold, and why the others do not. */
export interface DecodedItems<T> {
  items: T[];
  rejected: Rejected;
}

/** Reads the groups of a request, whose fields have the names that both encodings share; others have the thread now and then. Throws `MalformedSpans`. */
export async function decodeGroups<T>(signal: Signal<T>, groups: Iterable<ResourceGroup>): Promise<DecodedItems<T>> {
  const decoded: DecodedItems<T> = { items: [], rejected: { count: 0, message: "" } };
  const yielder = createYielder();
  let shared = 0;
  for (const group of groups) {
    if (yielder.isDue()) await yielder.yieldOnce();
    const resource = partOf(() => attributesOf(fieldOf(group.resource, "attributes")));
    for (const { scope: said, items } of group.scopes) {
      if (yielder.isDue()) await yielder.yieldOnce();
      const scope = partOf(() => scopeOf(said));
      const size = JSON.stringify([resource, scope]).length;
      for (const item of items) {
        if (yielder.isDue()) await yielder.yieldOnce();
        if (decoded.items.length + decoded.rejected.count === MOST_ITEMS) throw tooMany(signal);
        take(signal, decoded, item, { resource, scope });
        shared += size;
        if (shared > MOST_SHARED)
          throw new MalformedSpans(
            `The resources and scopes are more than ${MOST_SHARED / 1024 / 1024} MB when each ${signal.item} has its own; send smaller ones, or fewer ${signal.item}s`,
            { tooLarge: true },
          );
      }
    }
  }
  return decoded;
}

function tooMany({ item }: Signal<unknown>): MalformedSpans {
  return new MalformedSpans(`The request has more than ${MOST_ITEMS} ${item}s; send it in smaller parts`, {
    tooLarge: true,
  });
}

function* groupsIn(signal: Signal<unknown>, request: unknown): Generator<ResourceGroup> {
  if (typeof request !== "object" || request === null || Array.isArray(request))
    throw new MalformedSpans(`The body is not an object with ${signal.resources}; send an ${signal.request}`);
  for (const group of listIn(signal, request, signal.resources))
    yield { resource: fieldOf(group, "resource"), scopes: scopesIn(signal, group) };
}

function* scopesIn(signal: Signal<unknown>, group: unknown): Generator<{ scope: unknown; items: unknown[] }> {
  for (const [list, scopeName] of signal.scopes) {
    for (const part of listIn(signal, group, list)) {
      const items = listIn(signal, part, signal.items);
      if (items.length > MOST_ITEMS) throw tooMany(signal);
      yield { scope: fieldOf(part, scopeName), items };
    }
  }
}

function listIn({ request }: Signal<unknown>, value: unknown, name: string): unknown[] {
  const list = fieldOf(value, name);
  if (list !== undefined && !Array.isArray(list)) throw new MalformedSpans(`${name} is not a list; send an ${request}`);
  return list ?? [];
}

/** What all items of a group have in common; where it does not hold, none of them does. */
type Common<T> = { value: T } | { fault: BadSpan };

function partOf<T>(read: () => T): Common<T> {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof BadSpan) return { fault: error };
    throw error;
  }
}

function take<T>(
  signal: Signal<T>,
  { items, rejected }: DecodedItems<T>,
  value: unknown,
  { resource, scope }: { resource: Common<JsonObject>; scope: Common<Span["scope"]> },
): void {
  const item = partOf(() => {
    if ("fault" in resource) throw resource.fault;
    if ("fault" in scope) throw scope.fault;
    return signal.read(value, resource.value, scope.value);
  });
  if ("value" in item) {
    items.push(item.value);
    return;
  }
  rejected.count += 1;
  if (rejected.count <= MOST_NAMED)
    rejected.message += `${rejected.message && " "}${named(signal, value)}: ${item.fault.message}.`;
  else if (rejected.count === MOST_NAMED + 1) rejected.message += " Others were refused, too.";
}

function named({ item }: Signal<unknown>, value: unknown): string {
  const name = fieldOf(value, "name");
  return typeof name === "string" && name !== "" ? `The ${item} ${shown(name)} was refused` : `A ${item} was refused`;
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
export function idOf(item: unknown, name: string, bytes: number): string {
  const id = hexOf(fieldOf(item, name));
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

const HALF = 1n << 32n;

/** Nanoseconds since 1970; 0 for none. In protobuf a number of 64 bits is an object of two halves. */
export function timeOf(value: unknown, name: string): bigint {
  const time = fieldOf(value, name) ?? 0;
  const [high, low] = [fieldOf(time, "high"), fieldOf(time, "low")];
  if (typeof high === "number" && typeof low === "number") return BigInt(high >>> 0) * HALF + BigInt(low >>> 0);
  const text = String(time);
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
