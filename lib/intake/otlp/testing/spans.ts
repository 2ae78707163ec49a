import type { NewEvent } from "../../../../db/repositories.ts";
import type { SessionEvent } from "../../../session/event.ts";
import type { Json, JsonObject } from "../../../session/json/json.ts";
import { meaningOf } from "../meaning.ts";
import type { Span } from "../span.ts";

export const TRACE = "0af7651916cd43dd8448eb211c80319c";

/** 2026-11-22T12:00:00Z, in ns. */
const START = 1_795_348_800_000_000_000n;

/** A span for tests: `id` and `parent` are short names, times are ms from the start. */
export function span(
  id: string,
  parent: string | null,
  [start, end]: readonly [number, number],
  name: string,
  attributes: Record<string, Json> = {},
  more: Partial<Span> = {},
): Span {
  return {
    trace_id: TRACE,
    span_id: spanId(id),
    parent_span_id: parent === null ? null : spanId(parent),
    name,
    start: START + BigInt(start) * 1_000_000n,
    end: START + BigInt(end) * 1_000_000n,
    attributes,
    events: [],
    status: { code: "unset", message: "" },
    resource: { "service.name": "travel" },
    scope: { name: "test", version: "1" },
    ...more,
  };
}

/** Short names as span ids: their letters in hex. */
export function spanId(name: string): string {
  return Buffer.from(name).toString("hex").padStart(16, "0");
}

export function understood(span: Span) {
  return { span, meaning: meaningOf(span) };
}

/** A text message, as GenAI attributes have it. */
export function text(role: string, content: string): JsonObject {
  return { role, parts: [{ type: "text", content }] };
}

export function asked(...calls: { id: string; name: string; arguments: Json }[]): JsonObject {
  return { role: "assistant", parts: calls.map((call) => ({ type: "tool_call", ...call })) };
}

export function responded(id: string, response: Json): JsonObject {
  return { role: "tool", parts: [{ type: "tool_call_response", id, response }] };
}

/** An agent that asks a model twice and uses two tools between, told by OpenTelemetry's GenAI conventions. */
export function twoToolAgent(): Span[] {
  const weather = { id: "c1", name: "weather", arguments: { city: "Oslo" } };
  const train = { id: "c2", name: "train", arguments: { to: "Oslo" } };
  const question = text("user", "How do I get to Oslo?");
  const chat = { "gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "m1" };
  const tool = { "gen_ai.operation.name": "execute_tool" };
  return [
    span("agent", null, [0, 100], "invoke_agent Planner", {
      ...{ "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "Planner", "gen_ai.conversation.id": "trip" },
      "user.id": "alice",
    }),
    span("m1", "agent", [1, 20], "chat m1", {
      ...chat,
      "gen_ai.system_instructions": [{ type: "text", content: "Be brief." }],
      "gen_ai.input.messages": [question],
      "gen_ai.output.messages": [asked(weather, train)],
      "gen_ai.usage.input_tokens": 10,
      "gen_ai.usage.output_tokens": 5,
    }),
    span("t1", "agent", [21, 30], "execute_tool weather", {
      ...{ ...tool, "gen_ai.tool.name": "weather", "gen_ai.tool.call.id": "c1" },
      ...{ "gen_ai.tool.call.arguments": { city: "Oslo" }, "gen_ai.tool.call.result": { sky: "clear" } },
      "obelus.output_path": "†state.weather",
    }),
    span("t2", "agent", [21, 40], "execute_tool train", {
      ...{ ...tool, "gen_ai.tool.name": "train", "gen_ai.tool.call.id": "c2" },
      ...{ "gen_ai.tool.call.arguments": { to: "Oslo" }, "gen_ai.tool.call.result": { at: "9:40" } },
    }),
    span("http", "t2", [22, 39], "GET /trains", { "http.request.method": "GET" }),
    span("m2", "agent", [41, 90], "chat m1", {
      ...chat,
      "gen_ai.system_instructions": [{ type: "text", content: "Be brief." }],
      "gen_ai.input.messages": [
        ...[question, asked(weather, train)],
        ...[responded("c1", { sky: "clear" }), responded("c2", { at: "9:40" })],
      ],
      "gen_ai.output.messages": [text("assistant", "Take the 9:40.")],
      "gen_ai.usage.input_tokens": 30,
      "gen_ai.usage.output_tokens": 7,
    }),
  ];
}

/** Events as a log stores them. */
export function stored(events: readonly NewEvent[]): SessionEvent[] {
  return events.map((event, index) => ({
    ...event,
    seq: index + 1,
    position: index + 1,
    recorded_at: "2026-11-22T12:00:00.000Z",
  }));
}
