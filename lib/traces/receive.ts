import type { WaitingSpan } from "../../db/repositories.ts";
import { createYielder } from "../event-loop/yielding.ts";
import { type Decoded, decodeJson } from "../intake/otlp/decode.ts";
import { decodeProtobuf } from "../intake/otlp/decode-protobuf.ts";
import type { Span } from "../intake/otlp/span.ts";
import { printSpan } from "../intake/otlp/stored-span.ts";
import { MILLISECOND } from "../intake/otlp/tree.ts";
import type { Json } from "../session/json/json.ts";

/** An OTLP export request, decompressed. */
export interface SpanRequest {
  encoding: "protobuf" | "json";
  bytes: Uint8Array;
}

/** The same, with parsed JSON. */
export type ParsedSpanRequest = { encoding: "protobuf"; bytes: Uint8Array } | { encoding: "json"; value: Json };

/** A span as stored until its trace is mapped. */
export interface ReceivedSpan extends WaitingSpan {
  /** Its start, epoch ms. */
  began: number;
}

/** The spans of a request, and why others were rejected. */
export interface Received {
  spans: ReceivedSpan[];
  rejected: Decoded["rejected"];
}

/** Reads the spans of a request, yielding to the event loop. Throws `MalformedSpans`. */
export async function receiveSpans(request: ParsedSpanRequest): Promise<Received> {
  const decoded = await (request.encoding === "json" ? decodeJson(request.value) : decodeProtobuf(request.bytes));
  const yielder = createYielder();
  const spans: ReceivedSpan[] = [];
  for (const span of decoded.spans) {
    if (yielder.isDue()) await yielder.yieldOnce();
    spans.push(received(span));
  }
  return { spans, rejected: decoded.rejected };
}

function received(span: Span): ReceivedSpan {
  const { trace_id, span_id, parent_span_id, start } = span;
  return { trace_id, span_id, parent_span_id, began: Number(start / MILLISECOND), content: printSpan(span) };
}
