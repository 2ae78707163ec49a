import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../session/json/json.ts";
import { meaningOf } from "./meaning.ts";
import type { Meaning, Span, SpanEvent } from "./span.ts";

function span(attributes: JsonObject, more: Partial<Span> = {}): Span {
  return {
    trace_id: "0af7651916cd43dd8448eb211c80319c",
    span_id: "b7ad6b7169203331",
    parent_span_id: null,
    name: "span",
    start: 1_000_000n,
    end: 2_000_000n,
    attributes,
    events: [],
    status: { code: "unset", message: "" },
    resource: {},
    scope: { name: "test", version: "1" },
    ...more,
  };
}

function event(name: string, attributes: JsonObject): SpanEvent {
  return { name, time: 1_500_000n, attributes };
}

function understood(attributes: JsonObject, more: Partial<Span> = {}): Meaning {
  return meaningOf(span(attributes, more));
}

const asked = { role: "user", name: null, parts: [{ type: "text", content: "Where is order 7741?" }] };
const calling = {
  role: "assistant",
  name: null,
  parts: [{ type: "tool_call", id: "call_1", name: "find_order", arguments: { order_id: "7741" } }],
};
const answered = {
  role: "tool",
  name: null,
  parts: [{ type: "tool_call_response", id: "call_1", response: { status: "sent" } }],
};
const mapped = { role: "assistant", name: null, parts: [{ type: "text", content: "It was sent." }] };

/** One request for a model, as each convention tells it: after a question and a tool's result it answers. */
const REQUESTS: Record<string, Partial<Span> & { attributes: JsonObject }> = {
  "OpenTelemetry GenAI": {
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "gpt-5",
      "gen_ai.request.temperature": 0.5,
      "gen_ai.response.model": "gpt-5-2026",
      "gen_ai.response.id": "resp_1",
      "gen_ai.response.finish_reasons": ["stop"],
      "gen_ai.usage.input_tokens": 120,
      "gen_ai.usage.output_tokens": "7",
      "gen_ai.system_instructions": '[{"type":"text","content":"Be brief."}]',
      "gen_ai.input.messages": JSON.stringify([
        { role: "user", parts: [{ type: "text", content: "Where is order 7741?" }] },
        {
          role: "assistant",
          parts: [{ type: "tool_call", id: "call_1", name: "find_order", arguments: { order_id: "7741" } }],
        },
        { role: "tool", parts: [{ type: "tool_call_response", id: "call_1", result: { status: "sent" } }] },
      ]),
      "gen_ai.output.messages": JSON.stringify([
        { role: "assistant", parts: [{ type: "text", content: "It was sent." }], finish_reason: "stop" },
      ]),
    },
  },
  "OpenTelemetry GenAI, details in an event, structured": {
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.response.model": "gpt-5-2026",
      "gen_ai.request.temperature": 0.5,
      "gen_ai.response.id": "resp_1",
      "gen_ai.response.finish_reasons": ["stop"],
      "gen_ai.usage.input_tokens": 120,
      "gen_ai.usage.output_tokens": 7,
    },
    events: [
      event("gen_ai.client.inference.operation.details", {
        "gen_ai.system_instructions": [{ type: "text", content: "Be brief." }],
        "gen_ai.input.messages": [
          { role: "user", parts: [{ type: "text", content: "Where is order 7741?" }] },
          {
            role: "assistant",
            parts: [{ type: "tool_call", id: "call_1", name: "find_order", arguments: '{"order_id":"7741"}' }],
          },
          { role: "tool", parts: [{ type: "tool_call_response", id: "call_1", response: '{"status":"sent"}' }] },
        ],
        "gen_ai.output.messages": [{ role: "assistant", parts: [{ type: "text", content: "It was sent." }] }],
      }),
    ],
  },
  "OpenTelemetry GenAI, an event a message": {
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.system": "openai",
      "gen_ai.response.model": "gpt-5-2026",
      "gen_ai.request.temperature": 0.5,
      "gen_ai.response.id": "resp_1",
      "gen_ai.response.finish_reasons": ["stop"],
      "gen_ai.usage.input_tokens": 120,
      "gen_ai.usage.output_tokens": 7,
    },
    events: [
      event("gen_ai.system.message", { content: "Be brief." }),
      event("gen_ai.user.message", { content: "Where is order 7741?" }),
      event("gen_ai.assistant.message", {
        tool_calls:
          '[{"id":"call_1","type":"function","function":{"name":"find_order","arguments":"{\\"order_id\\":\\"7741\\"}"}}]',
      }),
      event("gen_ai.tool.message", { id: "call_1", content: '{"status":"sent"}' }),
      event("gen_ai.choice", {
        index: 0,
        finish_reason: "stop",
        message: '{"role":"assistant","content":"It was sent."}',
      }),
    ],
  },
  "Traceloop and older OpenTelemetry": {
    attributes: {
      "gen_ai.system": "openai",
      "gen_ai.request.model": "gpt-5",
      "gen_ai.request.temperature": 0.5,
      "gen_ai.response.model": "gpt-5-2026",
      "gen_ai.response.id": "resp_1",
      "gen_ai.response.finish_reasons": ["stop"],
      "gen_ai.usage.prompt_tokens": 120,
      "gen_ai.usage.completion_tokens": 7,
      "gen_ai.prompt.0.role": "system",
      "gen_ai.prompt.0.content": "Be brief.",
      "gen_ai.prompt.1.role": "user",
      "gen_ai.prompt.1.content": "Where is order 7741?",
      "gen_ai.prompt.2.role": "assistant",
      "gen_ai.prompt.2.tool_calls.0.id": "call_1",
      "gen_ai.prompt.2.tool_calls.0.name": "find_order",
      "gen_ai.prompt.2.tool_calls.0.arguments": '{"order_id":"7741"}',
      "gen_ai.prompt.3.role": "tool",
      "gen_ai.prompt.3.tool_call_id": "call_1",
      "gen_ai.prompt.3.content": '{"status":"sent"}',
      "gen_ai.completion.0.role": "assistant",
      "gen_ai.completion.0.content": "It was sent.",
    },
  },
  OpenInference: {
    attributes: {
      "openinference.span.kind": "LLM",
      "llm.provider": "openai",
      "llm.model_name": "gpt-5-2026",
      "llm.invocation_parameters": '{"temperature":0.5}',
      "llm.finish_reason": "stop",
      "llm.token_count.prompt": 120,
      "llm.token_count.completion": 7,
      "llm.input_messages.0.message.role": "system",
      "llm.input_messages.0.message.content": "Be brief.",
      "llm.input_messages.1.message.role": "user",
      "llm.input_messages.1.message.contents.0.message_content.type": "text",
      "llm.input_messages.1.message.contents.0.message_content.text": "Where is order 7741?",
      "llm.input_messages.2.message.role": "assistant",
      "llm.input_messages.2.message.tool_calls.0.tool_call.id": "call_1",
      "llm.input_messages.2.message.tool_calls.0.tool_call.function.name": "find_order",
      "llm.input_messages.2.message.tool_calls.0.tool_call.function.arguments": '{"order_id":"7741"}',
      "llm.input_messages.3.message.role": "tool",
      "llm.input_messages.3.message.tool_call_id": "call_1",
      "llm.input_messages.3.message.content": '{"status":"sent"}',
      "llm.output_messages.0.message.role": "assistant",
      "llm.output_messages.0.message.content": "It was sent.",
      "output.value": '{"id":"resp_1","choices":[]}',
    },
  },
  "Vercel AI SDK": {
    attributes: {
      "ai.operationId": "ai.generateText.doGenerate",
      "ai.model.provider": "openai.chat",
      "gen_ai.system": "openai",
      "gen_ai.request.model": "gpt-5",
      "gen_ai.request.temperature": 0.5,
      "ai.response.model": "gpt-5-2026",
      "ai.response.id": "resp_1",
      "ai.response.finishReason": "stop",
      "ai.response.text": "It was sent.",
      "ai.usage.inputTokens": 120,
      "ai.usage.outputTokens": 7,
      "ai.prompt.messages": JSON.stringify([
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "text", text: "Where is order 7741?" }] },
        {
          role: "assistant",
          content: [{ type: "tool-call", toolCallId: "call_1", toolName: "find_order", input: { order_id: "7741" } }],
        },
        {
          role: "tool",
          content: [
            {
              type: "tool-result",
              toolCallId: "call_1",
              toolName: "find_order",
              output: { type: "json", value: { status: "sent" } },
            },
          ],
        },
      ]),
    },
  },
};

describe("E15: what a span means", () => {
  it.each(Object.entries(REQUESTS))("reads a request for a model told by %s", (_, { attributes, ...more }) => {
    const { doing } = understood(attributes, more);
    expect(doing).toEqual({
      kind: "model",
      provider: "openai",
      model: "gpt-5-2026",
      response_id: "resp_1",
      finish_reason: "stop",
      instructions: "Be brief.",
      input: [asked, calling, answered],
      output: [mapped],
      input_tokens: 120,
      output_tokens: 7,
      parameters: expect.objectContaining({ temperature: 0.5 }),
    });
  });

  it.each<[string, JsonObject]>([
    [
      "OpenTelemetry GenAI",
      {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "find_order",
        "gen_ai.tool.call.id": "call_1",
        "gen_ai.tool.call.arguments": '{"order_id":"7741"}',
        "gen_ai.tool.call.result": { status: "sent" },
      },
    ],
    [
      "OpenInference",
      {
        "openinference.span.kind": "TOOL",
        "tool.name": "find_order",
        "tool_call.id": "call_1",
        "input.value": '{"order_id":"7741"}',
        "output.value": '{"status":"sent"}',
      },
    ],
    [
      "OpenInference of LangChain",
      {
        "openinference.span.kind": "TOOL",
        "tool.name": "find_order",
        "input.value": '{"order_id":"7741"}',
        "output.value": JSON.stringify({
          lc: 1,
          type: "constructor",
          id: ["langchain_core", "messages", "ToolMessage"],
          kwargs: { content: '{"status":"sent"}', tool_call_id: "call_1", name: "find_order" },
        }),
      },
    ],
    [
      "Vercel AI SDK",
      {
        "ai.operationId": "ai.toolCall",
        "ai.toolCall.name": "find_order",
        "ai.toolCall.id": "call_1",
        "ai.toolCall.args": '{"order_id":"7741"}',
        "ai.toolCall.result": '{"status":"sent"}',
      },
    ],
  ])("reads a tool told by %s", (_, attributes) => {
    expect(understood(attributes).doing).toEqual({
      kind: "tool",
      tool: "find_order",
      call_id: "call_1",
      arguments: { order_id: "7741" },
      result: { status: "sent" },
      output_path: null,
      reads: [],
      delta: null,
    });
  });

  it("reads a tool told by Traceloop, which knows no id of the call", () => {
    const { doing } = understood({
      "traceloop.span.kind": "tool",
      "traceloop.entity.name": "find_order",
      "traceloop.entity.input": '{"args":[],"kwargs":{"order_id":"7741"}}',
      "traceloop.entity.output": '{"status":"sent"}',
    });
    expect(doing).toMatchObject({
      kind: "tool",
      tool: "find_order",
      call_id: null,
      arguments: { order_id: "7741" },
      result: { status: "sent" },
    });
  });

  it.each<[string, JsonObject]>([
    [
      "OpenTelemetry GenAI",
      {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "support",
        "gen_ai.input.messages": '[{"role":"user","parts":[{"type":"text","content":"Where is order 7741?"}]}]',
        "gen_ai.output.messages": '[{"role":"assistant","parts":[{"type":"text","content":"It was sent."}]}]',
      },
    ],
    [
      "OpenInference",
      {
        "openinference.span.kind": "AGENT",
        "agent.name": "support",
        "input.value": "Where is order 7741?",
        "output.value": "It was sent.",
      },
    ],
    [
      "Vercel AI SDK",
      {
        "ai.operationId": "ai.generateText",
        "ai.telemetry.functionId": "support",
        "ai.prompt": '{"system":"Be brief.","prompt":"Where is order 7741?"}',
        "ai.response.text": "It was sent.",
      },
    ],
    [
      "Traceloop",
      {
        "traceloop.span.kind": "agent",
        "traceloop.entity.name": "support",
        "traceloop.entity.input": '{"args":["Where is order 7741?"],"kwargs":{}}',
        "traceloop.entity.output": '"It was sent."',
      },
    ],
  ])("reads an agent told by %s", (_, attributes) => {
    const { doing, agent } = understood(attributes);
    expect(doing).toMatchObject({ kind: "agent", input: [asked], output: [mapped] });
    expect(agent.name).toBe("support");
  });

  it.each<[string, string]>([
    ["gen_ai.conversation.id", "user.id"],
    ["session.id", "enduser.id"],
    ["ai.telemetry.metadata.sessionId", "ai.telemetry.metadata.userId"],
    ["traceloop.association.properties.chat_id", "traceloop.association.properties.user_id"],
  ])("finds the conversation in %s and the user in %s, and makes none up", (conversation, user) => {
    expect(understood({ [conversation]: "c1", [user]: "u1" })).toMatchObject({ conversation_id: "c1", user_id: "u1" });
    expect(understood({ "service.name": "shop" })).toMatchObject({ conversation_id: null, user_id: null });
  });

  it("reads what an agent says of its state beside any convention", () => {
    const { doing } = understood({
      "openinference.span.kind": "TOOL",
      "tool.name": "find_order",
      "obelus.output_path": "†state.order",
      "obelus.reads": ["†state.user.id", ""],
      "obelus.state.delta": '[{"op":"add","path":"/order","value":{"status":"sent"}}]',
    });
    expect(doing).toMatchObject({
      output_path: "†state.order",
      reads: ["†state.user.id"],
      delta: [{ op: "add", path: "/order", value: { status: "sent" } }],
    });
  });

  it("tells why a span failed, by the type and the words that there are", () => {
    const failed = { status: { code: "error" as const, message: "" } };
    expect(understood({}, failed).error).toEqual({ code: "error", message: "error" });
    expect(understood({ "error.type": "timeout" }).error).toEqual({ code: "timeout", message: "timeout" });
    expect(
      understood(
        {},
        { ...failed, events: [event("exception", { "exception.type": "TypeError", "exception.message": "no id" })] },
      ).error,
    ).toEqual({ code: "TypeError", message: "no id" });
    expect(understood({}, { status: { code: "ok", message: "" } }).error).toBeNull();
  });

  it("keeps what it does not know, and takes a span of no convention for something else", () => {
    const { doing, rest } = understood({ "http.method": "GET", "db.system": "postgresql" });
    expect(doing).toEqual({ kind: "other" });
    expect(rest).toEqual({ "http.method": "GET", "db.system": "postgresql" });
  });

  it("never falls over attributes, whatever they hold", () => {
    const names = Object.values(REQUESTS).flatMap(({ attributes }) => Object.keys(attributes));
    const value = fc.oneof(fc.jsonValue(), fc.json(), fc.string(), fc.integer());
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names, "__proto__", "obelus.reads"), value), (attributes) => {
        const read = JSON.parse(JSON.stringify(attributes));
        expect(meaningOf(span(read)).doing.kind).toMatch(/^(agent|workflow|model|tool|other)$/);
      }),
    );
  });
});
