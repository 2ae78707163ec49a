import type { NewEvent } from "../../../db/repositories.ts";
import { yielding } from "../../event-loop/yielding.ts";
import { isJsonObject, type Json } from "../../session/json/json.ts";
import { ImportError } from "../import-error.ts";
import { EVENT_DEPTH, type ImportFormat, MOST_HELD } from "../import-format.ts";
import type { ImportedConversation } from "../new-event.ts";
import { isContentEvent } from "./conventions/gen-ai-events.ts";
import { conversationsOf, mapTrace } from "./mapping/map-trace.ts";
import { readMappedState } from "./mapping/mapped-state.ts";
import type { Said } from "./mapping/thread.ts";
import { traceOf, type Understood } from "./mapping/trace.ts";
import { meaningOf } from "./meaning.ts";
import { decodeJsonOf, MalformedSpans, type Signal, SPANS } from "./protocol/decode.ts";
import { LOGS } from "./protocol/decode-logs.ts";
import { type Span, type SpanEvent, withLogs } from "./span.ts";
import { printEvent } from "./stored-span.ts";

/** A file's spans are held until it ends: which of them belong together is known then. */
const MOST_SPANS = 200_000;
/** Of one trace, whose tree is made in one go. */
const MOST_OF_A_TRACE = 20_000;
/** A level of an attribute's value is four of JSON. */
const DEPTH = 4 * EVENT_DEPTH;

/** Files of OTLP JSON, as collectors write them: an export request with spans or logs, or one a line (E15). */
export const otlpFormat: ImportFormat = {
  recognizes: (first) =>
    isJsonObject(first) && (Array.isArray(first.resourceSpans) || Array.isArray(first.resourceLogs)),
  depth: DEPTH,
  numbers: "as_written",
  mostHeld: MOST_HELD,
  async *read(entries) {
    const traces = new Map<string, Span[]>();
    const logs = new Map<string, Map<string, SpanEvent>>();
    let count = 0;
    for await (const { value, line } of entries) {
      const isLogs = isJsonObject(value) && value.resourceLogs !== undefined;
      for (const { span, event } of isLogs ? await decoded(LOGS, value, line) : []) {
        if (span === null || !isContentEvent(event.name)) continue;
        const known = logs.get(keyOf(span)) ?? new Map<string, SpanEvent>();
        // One that comes twice is one.
        logs.set(keyOf(span), known.set(printEvent(event), event));
      }
      const spans = isLogs ? [] : await decoded(SPANS, value, line);
      count += spans.length;
      if (count > MOST_SPANS)
        throw new ImportError(`the file has more than ${MOST_SPANS} spans; split it`, { line, tooLarge: true });
      for (const span of spans) {
        const trace = traces.get(span.trace_id);
        if (!trace) traces.set(span.trace_id, [span]);
        else if (trace.push(span) > MOST_OF_A_TRACE)
          throw new ImportError(
            `the trace ${span.trace_id} has more than ${MOST_OF_A_TRACE} spans; send it to /v1/traces, which takes it in parts`,
            { line, tooLarge: true },
          );
      }
    }
    yield* conversationsIn(traces, logs);
  },
};

function keyOf({ trace_id, span_id }: Pick<Span, "trace_id" | "span_id">): string {
  return `${trace_id}:${span_id}`;
}

async function decoded<T>(signal: Signal<T>, value: Json, line: number | null): Promise<T[]> {
  try {
    const { items, rejected } = await decodeJsonOf(signal, value);
    if (rejected.count > 0) throw new ImportError(rejected.message, { line });
    return items;
  } catch (error) {
    if (error instanceof MalformedSpans) throw new ImportError(error.message, { line, tooLarge: error.tooLarge });
    throw error;
  }
}

/** Traces in the order of time, as what one says is known in the next; a conversation is all that any of them tells of it. */
async function* conversationsIn(
  traces: Iterable<[string, Span[]]>,
  logs: ReadonlyMap<string, ReadonlyMap<string, SpanEvent>>,
): AsyncGenerator<ImportedConversation> {
  const found = new Map<string, NewEvent[]>();
  const said = new Map<string, Said[]>();
  const inTime = Array.from(traces, ([id, spans]) => ({ id, spans, start: startOf(spans) })).sort((a, b) =>
    a.start < b.start ? -1 : 1,
  );
  for (const { id: traceId, spans } of inTime) {
    const unique = [...new Map(spans.map((span) => [span.span_id, span])).values()];
    const understood: Understood[] = [];
    for await (const each of yielding(unique)) {
      const span = withLogs(each, [...(logs.get(keyOf(each))?.values() ?? [])]);
      understood.push({ span, meaning: meaningOf(span) });
    }
    const trace = traceOf(traceId, understood, readMappedState([]));
    const before = new Map(conversationsOf(trace).map((id) => [id, found.has(id) ? (said.get(id) ?? []) : null]));
    for await (const event of yielding(mapTrace(trace, before))) take(found, said, event);
  }
  for (const [conversation_id, events] of found) yield { conversation_id, events, isDerived: true };
}

function take(found: Map<string, NewEvent[]>, said: Map<string, Said[]>, event: NewEvent): void {
  const id = event.conversation_id ?? "";
  const events = found.get(id);
  if (events) events.push(event);
  else found.set(id, [event]);
  const { type, payload } = event;
  if (type !== "message.created" || !isJsonObject(payload) || typeof payload.content !== "string") return;
  const role = payload.role === "user" ? "user" : "assistant";
  const one: Said = { role, text: payload.content };
  const before = said.get(id);
  if (before) before.push(one);
  else said.set(id, [one]);
}

function startOf(spans: readonly Span[]): bigint {
  let first = spans[0]?.start ?? 0n;
  for (const { start } of spans) if (start < first) first = start;
  return first;
}
