import { createHash } from "node:crypto";
import type { WaitingScore } from "../../db/repositories.ts";
import { createYielder } from "../event-loop/yielding.ts";
import { evaluationOf } from "../intake/otlp/conventions/gen-ai-evaluation.ts";
import { isAnswerEvent, isContentEvent } from "../intake/otlp/conventions/gen-ai-events.ts";
import { identifierOf, spanPrefix } from "../intake/otlp/names.ts";
import { decodeJsonOf, type Rejected, type Signal, SPANS } from "../intake/otlp/protocol/decode.ts";
import { LOGS, type LogRecord } from "../intake/otlp/protocol/decode-logs.ts";
import { decodeProtobufOf } from "../intake/otlp/protocol/decode-protobuf.ts";
import { printEvent } from "../intake/otlp/stored-span.ts";
import type { NewScore } from "../scores/score.ts";
import type { Json } from "../session/json/json.ts";
import { type SpanPart, SpanPrinter } from "./received-spans.ts";

/** An OTLP export request, decompressed. */
export interface OtlpRequest {
  signal: "traces" | "logs";
  encoding: "protobuf" | "json";
  bytes: Uint8Array;
}

/** The same, with parsed JSON. */
export type ParsedOtlpRequest = Pick<OtlpRequest, "signal"> &
  ({ encoding: "protobuf"; bytes: Uint8Array } | { encoding: "json"; value: Json });

/** A log record as stored until its span is mapped. */
export interface ReceivedLog {
  trace_id: string;
  span_id: string;
  /** The same for a record that comes again. */
  key: string;
  content: string;
  /** It has what a model answered. */
  isAnswer: boolean;
}

/** What came in a request, and why the rest was rejected. */
export interface Received {
  spans: SpanPart[];
  logs: ReceivedLog[];
  /** Results of evaluations. */
  scores: WaitingScore[];
  /** Log records of which nothing is made, by scope and name. */
  unread: { scope: string; name: string; count: number }[];
  rejected: Rejected;
}

/** Reads the spans or logs of a request, yielding to the event loop. Throws `MalformedSpans`. */
export async function receiveOtlp(request: ParsedOtlpRequest): Promise<Received> {
  const yielder = createYielder();
  const received: Received = { spans: [], logs: [], scores: [], unread: [], rejected: { count: 0, message: "" } };
  if (request.signal === "traces") {
    const printer = new SpanPrinter();
    const read = (...given: Parameters<typeof SPANS.read>) => {
      const span = SPANS.read(...given);
      printer.add(span);
      for (const event of span.events) {
        const score = receivedScore({ span, event, scope: span.scope });
        if (score) received.scores.push(score);
      }
    };
    const { rejected } = await decoded({ ...SPANS, read }, request);
    return { ...received, spans: printer.end(), rejected };
  }
  const { items, rejected } = await decoded(LOGS, request);
  const unread = new Map<string, Received["unread"][number]>();
  for (const record of items) {
    if (yielder.isDue()) await yielder.yieldOnce();
    const score = receivedScore(record);
    const log = receivedLog(record);
    if (score) received.scores.push(score);
    else if (log) received.logs.push(log);
    else count(unread, record);
  }
  return { ...received, rejected, unread: [...unread.values()] };
}

function decoded<T>(signal: Signal<T>, request: ParsedOtlpRequest) {
  return request.encoding === "json" ? decodeJsonOf(signal, request.value) : decodeProtobufOf(signal, request.bytes);
}

/** Null for logs that are no messages of a model: programs send all that they write there. */
function receivedLog({ span, event }: LogRecord): ReceivedLog | null {
  if (span === null || !isContentEvent(event.name)) return null;
  const content = printEvent(event);
  const key = createHash("sha256").update(content).digest("hex").slice(0, 16);
  return { ...span, key, content, isAnswer: isAnswerEvent(event.name) };
}

/** A result of an evaluation, of a span or of a conversation that it names; null for all else. */
function receivedScore({ span, event, scope }: LogRecord): WaitingScore | null {
  const evaluation = evaluationOf(event);
  if (!evaluation) return null;
  const { conversation_id, score } = evaluation;
  const whole = { seq: null, run_id: null, call_id: null };
  const given: NewScore = { ...whole, ...score, source: "program", by: identifierOf(scope.name) };
  if (span) return { place: { events: spanPrefix(span.trace_id, span.span_id) }, score: given };
  return conversation_id === null ? null : { place: { conversation_id }, score: given };
}

/** Names of scopes and events from outside are this long at most. */
const LONGEST_NAME = 200;

function named({ name }: { name: string }): string {
  return name.slice(0, LONGEST_NAME).toWellFormed();
}

function count(unread: Map<string, Received["unread"][number]>, { scope, event }: LogRecord): void {
  const one = { scope: named(scope), name: named(event), count: 1 };
  const key = JSON.stringify([one.scope, one.name]);
  const known = unread.get(key);
  if (known) known.count += 1;
  else unread.set(key, one);
}
