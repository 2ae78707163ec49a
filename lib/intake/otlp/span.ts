import type { Json, JsonObject } from "../../session/json/json.ts";

/** A span of OpenTelemetry as it came, in whatever encoding. Ids are lower-case hex: 32 digits for the trace, 16 for the span. */
export interface Span {
  trace_id: string;
  span_id: string;
  /** Null for a root. */
  parent_span_id: string | null;
  name: string;
  /** Nanoseconds since 1970. */
  start: bigint;
  end: bigint;
  attributes: JsonObject;
  events: SpanEvent[];
  status: { code: "unset" | "ok" | "error"; message: string };
  /** What the resource says of itself: `service.name` and others. */
  resource: JsonObject;
  /** The instrumentation that made it. */
  scope: { name: string; version: string };
}

export interface SpanEvent {
  name: string;
  time: bigint;
  attributes: JsonObject;
}

/** A span with the events that came as logs, in the order of time. */
export function withLogs(span: Span, logs: readonly SpanEvent[]): Span {
  if (logs.length === 0) return span;
  const events = [...span.events, ...logs].sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
  return { ...span, events };
}

/** A message as models get and give it, in the words of OpenTelemetry's GenAI conventions. */
export interface SpanMessage {
  role: "system" | "user" | "assistant" | "tool";
  name: string | null;
  parts: MessagePart[];
}

export type MessagePart =
  | { type: "text"; content: string }
  | { type: "reasoning"; content: string }
  | { type: "tool_call"; id: string | null; name: string; arguments: Json }
  | { type: "tool_call_response"; id: string | null; response: Json }
  /** A picture, a file or something else that is not text, as it came. */
  | { type: "other"; value: Json };

/** What a span is to an agent's session, whichever convention said so. */
export type Doing =
  /** An agent is asked, and answers: a run. */
  | { kind: "agent"; instructions: string | null; input: SpanMessage[]; output: SpanMessage[] }
  /** A workflow, a chain, a graph or a node of one: a run only where it is the outermost. */
  | { kind: "workflow"; input: Json | null; output: Json | null }
  /** A model is asked. */
  | {
      kind: "model";
      provider: string;
      model: string;
      response_id: string | null;
      finish_reason: string | null;
      /** What stands before all messages. */
      instructions: string | null;
      input: SpanMessage[];
      output: SpanMessage[];
      input_tokens: number | null;
      output_tokens: number | null;
      /** `temperature`, `top_p` and others that the request had. */
      parameters: JsonObject;
    }
  /** A tool is carried out. `output_path`, `reads`, `delta`: what the agent itself says of its state. */
  | {
      kind: "tool";
      tool: string;
      call_id: string | null;
      arguments: Json | null;
      result: Json | null;
      output_path: string | null;
      reads: string[];
      delta: Json | null;
    }
  /** Anything else, such as an embedding, a retrieval, a guardrail or an HTTP request. */
  | { kind: "other" };

export type ModelDoing = Extract<Doing, { kind: "model" }>;
export type ToolDoing = Extract<Doing, { kind: "tool" }>;

/** A tool that was called, by a convention that knows nothing of plans. */
export function toolDoing(
  told: Pick<ToolDoing, "tool" | "arguments" | "result"> & Partial<Pick<ToolDoing, "call_id">>,
): ToolDoing {
  return { kind: "tool", call_id: null, output_path: null, reads: [], delta: null, ...told };
}

/** A span, understood. */
export interface Meaning {
  /** The convention that it was read by; null for none. */
  adapter: string | null;
  doing: Doing;
  /** The conversation, where the span itself names one; never made up. */
  conversation_id: string | null;
  user_id: string | null;
  agent: { id: string | null; name: string | null; version: string | null };
  /** Of a span that failed: `error.type` as the code. */
  error: { code: string; message: string } | null;
  /** Attributes of which nothing above was made. */
  rest: JsonObject;
}
