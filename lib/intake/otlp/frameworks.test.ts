import { existsSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../session/json/json.ts";
import { mapTrace } from "./mapping/map-trace.ts";
import { readMappedState } from "./mapping/mapped-state.ts";
import { traceOf } from "./mapping/trace.ts";
import type { Meaning, Span } from "./span.ts";
import { conversationsFrom, recordedRequests, seenIn } from "./testing/recorded.ts";
import { asked, responded, span, TRACE, text, understood } from "./testing/spans.ts";

// What instrumentations of frameworks send, shortened: where they differ from their conventions' words.

function meaning(attributes: JsonObject, more: Partial<Span> = {}): Meaning {
  return understood(span("a", null, [0, 1], "span", attributes, more)).meaning;
}

function told(...spans: Span[]) {
  const trace = traceOf(TRACE, spans.map(understood), readMappedState([]));
  return [...mapTrace(trace, new Map([["trip", null]]))];
}

/** A message as LangChain writes it down. */
function written(type: string, kwargs: JsonObject): JsonObject {
  return { lc: 1, type: "constructor", id: ["langchain_core", "messages", type], kwargs };
}

const QUESTION = written("HumanMessage", { content: "Refund order A-1042.", additional_kwargs: {} });
const CALLING = written("AIMessage", {
  id: "chatcmpl-1",
  name: "refunds",
  content: "",
  additional_kwargs: {
    tool_calls: [
      { id: "call_1", type: "function", function: { name: "find_order", arguments: '{"order_id":"A-1042"}' } },
    ],
  },
  response_metadata: { model_provider: "openai", model_name: "gpt-5-2026", finish_reason: "tool_calls" },
  tool_calls: [{ id: "call_1", type: "tool_call", name: "find_order", args: { order_id: "A-1042" } }],
});
const FOUND = written("ToolMessage", { content: '{"total":149.9}', tool_call_id: "call_1", name: "find_order" });
const DONE = written("AIMessageChunk", { content: "It is refunded.", tool_calls: [], name: "refunds" });

const found = { type: "tool_call", id: "call_1", name: "find_order", arguments: { order_id: "A-1042" } };

describe("E15: what instrumentations of frameworks say", () => {
  test("E15: a model of LangChain is told with its calls' ids, which only the messages themselves have", () => {
    const { doing } = meaning({
      "openinference.span.kind": "LLM",
      "input.value": JSON.stringify({
        messages: [[written("SystemMessage", { content: "Be brief." }), QUESTION, CALLING, FOUND]],
      }),
      "output.value": JSON.stringify({ generations: [[{ text: "", message: CALLING }]], llmOutput: {} }),
      "llm.model_name": "gpt-5",
      "llm.input_messages.0.message.role": "user",
      "llm.input_messages.0.message.content": "Refund order A-1042.",
      "llm.output_messages.0.message.role": "assistant",
      "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "find_order",
    });
    expect(doing).toMatchObject({
      ...{ kind: "model", provider: "openai", model: "gpt-5-2026", response_id: "chatcmpl-1" },
      instructions: "Be brief.",
      input: [
        { role: "user", parts: [{ type: "text", content: "Refund order A-1042." }] },
        { role: "assistant", name: "refunds", parts: [found] },
        { role: "tool", parts: [{ type: "tool_call_response", id: "call_1", response: { total: 149.9 } }] },
      ],
      output: [{ role: "assistant", parts: [found] }],
    });
  });

  test("E15: calls that a provider of LangChain has in the content, too, are told once", () => {
    const message = written("AIMessage", {
      content: [
        { type: "text", text: "I look." },
        { type: "tool_use", id: "call_1", name: "find_order", input: { order_id: "A-1042" } },
      ],
      tool_calls: [{ id: "call_1", name: "find_order", args: { order_id: "A-1042" } }],
    });
    const { doing } = meaning({
      "openinference.span.kind": "LLM",
      "output.value": JSON.stringify({ generations: [[{ message }]] }),
    });
    expect(doing).toMatchObject({ output: [{ parts: [{ type: "text", content: "I look." }, found] }] });
  });

  test("E15: a graph of LangGraph is an agent by its name, whose output is what it adds; its nodes are no agents", () => {
    const state = { messages: [QUESTION, DONE, QUESTION, CALLING, FOUND, DONE] };
    const attributes = (metadata: JsonObject) => ({
      "openinference.span.kind": "CHAIN",
      "input.value": JSON.stringify({ messages: [QUESTION] }),
      "output.value": JSON.stringify(state),
      metadata: JSON.stringify({ ls_integration: "langgraph", ...metadata }),
    });
    const graph = meaning(attributes({}), { name: "refunds" });
    expect(graph.agent.name).toBe("refunds");
    expect(graph.doing).toMatchObject({
      kind: "agent",
      input: [{ role: "user" }],
      output: [{ parts: [found] }, { role: "tool" }, { parts: [{ type: "text", content: "It is refunded." }] }],
    });
    expect(meaning(attributes({}), { name: "LangGraph" }).agent.name).toBeNull();
    const node = meaning(attributes({ langgraph_node: "agent" }), { name: "agent" });
    expect([node.doing.kind, node.agent.name]).toEqual(["workflow", null]);
  });

  test("E15: a graph whose state is no messages is a workflow with what went in and came out", () => {
    const { doing, agent } = meaning(
      {
        "openinference.span.kind": "CHAIN",
        "input.value": '{"order":"A-1042"}',
        metadata: '{"ls_integration":"langgraph"}',
      },
      { name: "refunds" },
    );
    expect(doing).toEqual({ kind: "workflow", input: { order: "A-1042" }, output: null });
    expect(agent.name).toBe("refunds");
  });

  test("E15: a trace of the OpenAI Agents SDK is no agent; those in it go by their nodes", () => {
    const scope = { name: "@arizeai/openinference-instrumentation-openai-agents", version: "1" };
    const kind = { "openinference.span.kind": "AGENT" };
    const root = meaning({ ...kind, "output.value": "It is refunded." }, { scope, name: "Agent workflow" });
    expect(root).toMatchObject({ doing: { kind: "workflow", output: "It is refunded." }, agent: { name: null } });
    const desk = meaning({ ...kind, "graph.node.id": "desk" }, { scope });
    expect(desk).toMatchObject({ doing: { kind: "agent" }, agent: { name: "desk" } });
  });

  test("E15: a handover of the OpenAI Agents SDK is the call that the model asked for", () => {
    const scope = { name: "openinference.instrumentation.openai_agents", version: "1" };
    const handover = { "openinference.span.kind": "TOOL", "tool.name": "handoff_to_Refund desk" };
    expect(meaning(handover, { scope }).doing).toMatchObject({ tool: "transfer_to_Refund_desk" });
    expect(meaning(handover).doing).toMatchObject({ tool: "handoff_to_Refund desk" });
  });

  test("E15: of OpenAI's items the agent's own texts are read, which the spread messages leave out", () => {
    const items: Json = [
      { role: "user", content: "Refund order A-1042." },
      { type: "function_call", callId: "call_1", name: "find_order", arguments: '{"order_id":"A-1042"}' },
      {
        type: "function_call_result",
        callId: "call_1",
        name: "find_order",
        output: { type: "text", text: '{"total":149.9}' },
      },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "It is refunded." }] },
    ];
    const { doing } = meaning({
      "openinference.span.kind": "LLM",
      "input.value": JSON.stringify(items),
      "llm.input_messages.0.message.role": "system",
      "llm.input_messages.0.message.content": "Be brief.",
      "llm.input_messages.1.message.role": "user",
      "llm.input_messages.1.message.content": "Refund order A-1042.",
      "llm.input_messages.4.message.role": "assistant",
    });
    expect(doing).toMatchObject({
      instructions: "Be brief.",
      input: [
        { role: "user", name: null },
        { role: "assistant", name: null, parts: [found] },
        { role: "tool", name: null, parts: [{ id: "call_1", response: { total: 149.9 } }] },
        { role: "assistant", parts: [{ type: "text", content: "It is refunded." }] },
      ],
    });
  });

  test("E15: a stack below an error's message is kept apart from it", () => {
    const message =
      "It was delivered\n\nError: It was delivered\n    at refund (shop.ts:27:50)\n    at run (shop.ts:1:1)";
    const { error, rest } = meaning({}, { status: { code: "error", message } });
    expect(error).toEqual({ code: "error", message: "It was delivered" });
    expect(rest).toEqual({ "exception.stacktrace": message.split("\n\n")[1] });
  });

  test("E15: an only argument that came without its name gets it from the model that asked", () => {
    const conversation = { "gen_ai.conversation.id": "trip" };
    const events = told(
      span("agent", null, [0, 90], "agent", { "gen_ai.operation.name": "invoke_agent", ...conversation }),
      span("model", "agent", [1, 10], "chat", {
        "gen_ai.operation.name": "chat",
        "gen_ai.output.messages": [asked({ id: "c1", name: "find_order", arguments: { order_id: "A-1042" } })],
      }),
      span("tool", "agent", [11, 20], "find_order", { "openinference.span.kind": "TOOL", "input.value": "A-1042" }),
    );
    const started = events.find(({ type }) => type === "call.started");
    expect(started?.payload).toMatchObject({ call_id: "c1", params: { order_id: "A-1042" } });
  });

  test("E15: spans whose starts have no more than milliseconds are told in the order in which they came about", () => {
    const at = (start: number, took: number) => {
      const { start: first } = span("x", null, [start, start], "x");
      return { start: first, end: first + BigInt(took) };
    };
    const chat = { "gen_ai.operation.name": "chat", "gen_ai.request.model": "m" };
    const call = { id: "c1", name: "look", arguments: {} };
    const events = told(
      span(
        "agent",
        null,
        [0, 0],
        "agent",
        { "gen_ai.operation.name": "invoke_agent", "gen_ai.conversation.id": "trip" },
        at(0, 9_200_000),
      ),
      span("m1", "agent", [0, 0], "chat", { ...chat, "gen_ai.output.messages": [asked(call)] }, at(1, 2_800_000)),
      // It began after the model had answered, but for the part of its millisecond.
      span(
        "t1",
        "agent",
        [0, 0],
        "look",
        { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look" },
        at(3, 900_000),
      ),
      // It ended before its agent did, likewise.
      span(
        "m2",
        "agent",
        [0, 0],
        "chat",
        {
          ...{ ...chat, "gen_ai.input.messages": [asked(call), responded("c1", 1)] },
          "gen_ai.output.messages": [text("assistant", "Done.")],
        },
        at(3, 6_900_000),
      ),
    );
    expect(events.map(({ type }) => type)).toEqual([
      ...["conversation.created", "run.started", "run.iteration", "model.requested", "model.responded"],
      ...["call.started", "call.succeeded", "run.iteration", "model.requested", "model.responded"],
      ...["message.created", "run.finished"],
    ]);
    expect(events.find(({ type }) => type === "call.started")?.payload).toMatchObject({ call_id: "c1", iteration: 1 });
    const times = events.map(({ occurred_at }) => occurred_at);
    expect(times).toEqual(times.toSorted());
  });
});

describe("E15: what else frameworks' spans hold", () => {
  test("E15: a trace that is no agent's becomes no conversation", () => {
    const http = { "http.request.method": "GET", "url.path": "/healthz" };
    expect(told(span("http", null, [0, 5], "GET /healthz", http), span("db", "http", [1, 2], "SELECT"))).toEqual([]);
    expect(told(span("e", null, [0, 5], "embed", { "gen_ai.operation.name": "embeddings" }))).not.toEqual([]);
  });

  test("E15: calls that begin in the same millisecond are told in the order in which the model asked", () => {
    const call = (id: string) => ({ id, name: "look", arguments: { at: id } });
    const tool = (id: string, name: string, end: number) =>
      span(name, "agent", [11, end], "look", {
        ...{ "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look", "gen_ai.tool.call.id": id },
      });
    const events = told(
      span("agent", null, [0, 90], "agent", { "gen_ai.operation.name": "invoke_agent", "session.id": "trip" }),
      span("model", "agent", [1, 10], "chat", {
        "gen_ai.operation.name": "chat",
        "gen_ai.output.messages": [asked(call("c1"), call("c2"), call("c3"))],
      }),
      tool("c3", "x", 12),
      tool("c1", "y", 30),
      tool("c2", "z", 20),
    );
    const started = events.filter(({ type }) => type === "call.started");
    expect(started.map(({ payload }) => payload)).toMatchObject([
      { call_id: "c1" },
      { call_id: "c2" },
      { call_id: "c3" },
    ]);
  });

  test("E15: a number of tokens that is not known is not 0", () => {
    const model = { "gen_ai.operation.name": "chat", "gen_ai.request.model": "m" };
    const unknown = { "gen_ai.usage.input_tokens": "", "gen_ai.usage.output_tokens": "NaN" };
    expect(meaning({ ...model, ...unknown }).doing).toMatchObject({ input_tokens: null, output_tokens: null });
    const known = { "gen_ai.usage.input_tokens": 0, "gen_ai.usage.output_tokens": "12" };
    expect(meaning({ ...model, ...known }).doing).toMatchObject({ input_tokens: 0, output_tokens: 12 });
  });

  test("E15: span events of which nothing is made are kept", () => {
    const { start: time } = span("x", null, [0, 1], "x");
    const events = [{ name: "retry", time, attributes: { attempt: 2 } }];
    expect(meaning({ "gen_ai.operation.name": "chat" }, { events }).rest).toEqual({
      events: [{ name: "retry", time: "2026-11-22T12:00:00.000Z", attributes: { attempt: 2 } }],
    });
  });

  test("E15: ADK in Python writes Gemini's messages with names of its own, and tells parallel results once more", () => {
    const scope = { name: "gcp.vertex.agent", version: "1.0" };
    const request = {
      contents: [
        { role: "user", parts: [{ text: "Refund it." }] },
        { role: "model", parts: [{ function_call: { id: "c1", name: "find_order", args: { order_id: "A-1042" } } }] },
        { role: "user", parts: [{ function_response: { id: "c1", name: "find_order", response: { total: 1 } } }] },
      ],
      config: { system_instruction: "Be brief.", temperature: 0.1 },
    };
    const answer = {
      content: { role: "model", parts: [{ text: "Done." }] },
      usage_metadata: { prompt_token_count: 7 },
    };
    const attributes = {
      "gen_ai.request.model": "gemini-2.5-flash",
      "gcp.vertex.agent.llm_request": JSON.stringify(request),
      "gcp.vertex.agent.llm_response": JSON.stringify(answer),
    };
    expect(meaning(attributes, { scope, name: "call_llm" }).doing).toMatchObject({
      ...{ kind: "model", instructions: "Be brief.", input_tokens: 7, parameters: { temperature: 0.1 } },
      input: [
        { role: "user", parts: [{ type: "text", content: "Refund it." }] },
        { role: "assistant", parts: [{ ...found, id: "c1" }] },
        { role: "tool", parts: [{ type: "tool_call_response", id: "c1", response: { total: 1 } }] },
      ],
      output: [{ role: "assistant", parts: [{ type: "text", content: "Done." }] }],
    });
    const merged = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "(merged tools)" };
    expect(meaning(merged, { scope, name: "execute_tool (merged)" }).doing.kind).toBe("other");
  });

  test("E15: a tool's result for Anthropic, which OpenInference has as the user's, is a result", () => {
    const { doing } = meaning({
      "openinference.span.kind": "LLM",
      "llm.input_messages.0.message.role": "user",
      "llm.input_messages.0.message.content": '{"total":149.9}',
      "llm.input_messages.0.message.tool_call_id": "toolu_1",
    });
    const response = { type: "tool_call_response", id: "toolu_1", response: { total: 149.9 } };
    expect(doing).toMatchObject({ input: [{ role: "tool", parts: [response] }] });
  });

  test("E15: items of OpenAI's Responses that Traceloop has as the user's text are read", () => {
    const items = [
      { role: "user", content: "Refund order A-1042." },
      { type: "function_call", call_id: "call_1", name: "find_order", arguments: '{"order_id":"A-1042"}' },
      { type: "function_call_output", call_id: "call_1", output: '{"total":149.9}' },
    ];
    const { doing } = meaning({
      "gen_ai.operation.name": "chat",
      "gen_ai.input.messages": JSON.stringify([text("user", JSON.stringify(items))]),
    });
    expect(doing).toMatchObject({
      input: [
        { role: "user", parts: [{ type: "text", content: "Refund order A-1042." }] },
        { role: "assistant", parts: [found] },
        { role: "tool", parts: [{ type: "tool_call_response", id: "call_1", response: { total: 149.9 } }] },
      ],
    });
    const json = { "gen_ai.operation.name": "chat", "gen_ai.input.messages": [text("user", '[{"order":"A-1042"}]')] };
    expect(meaning(json).doing).toMatchObject({ input: [text("user", '[{"order":"A-1042"}]')] });
  });
});

/** What truly happened in each recording: one small agent, built with each framework, talked to a stand-in for the model. */
const HAPPENED = {
  messages: [
    "user: Please refund the damaged vase of Marta Keller",
    "assistant: Refund RF-5521-X was issued for order ORD-88213.",
    "user: Now ship a replacement",
    "assistant: Sorry, the warehouse is closed today.",
  ],
  calls: [
    {
      ...{ tool: "find_order", params: { customer: "Marta Keller" }, status: "succeeded" },
      output: { order_id: "ORD-88213", total: 129.5, status: "delivered" },
    },
    {
      ...{ tool: "issue_refund", params: { order_id: "ORD-88213", reason: "damaged" }, status: "succeeded" },
      output: { refund_id: "RF-5521-X", order: "ORD-88213", ok: true },
    },
    {
      ...{ tool: "ship_replacement", params: { order_id: "ORD-88213" }, status: "failed" },
      error: expect.stringContaining("Warehouse closed: no stock for SKU-42"),
    },
  ],
  runs: ["finished", "finished"],
  edges: expect.arrayContaining([expect.stringMatching(/\/order_id -> .+\/order_id$/)]),
  tokens: 550,
  warnings: [],
};

/** Genkit gives a tool's failure to the flow, which ends with it: the model was not asked again. */
const FLOW_FAILED = { ...HAPPENED, messages: HAPPENED.messages.slice(0, 3), runs: ["finished", "failed"], tokens: 440 };

const RECORDED = [
  { name: "strands-1.16-default", conversation: "strands-stable", happened: HAPPENED },
  { name: "strands-1.16-latest", conversation: "strands-latest", happened: HAPPENED },
  { name: "adk-2.0", conversation: "adk-gen", happened: HAPPENED },
  { name: "mastra-1.71", conversation: "mastra-gen", happened: HAPPENED },
  { name: "langfuse-5.11", conversation: "lf-gen", happened: HAPPENED },
  { name: "genkit-1.42", conversation: "genkit-gen", happened: FLOW_FAILED },
  { name: "langsmith-0.12", conversation: "ls-gen", happened: HAPPENED },
  { name: "openinference-vercel-2.8", conversation: "oiv-gen-chat", happened: HAPPENED },
];

const whole = (name: string) => new URL(`../../../../shared/data/otlp/${name}.json`, import.meta.url);
const shortened = (name: string) => new URL(`testing/recorded/${name}.jsonl`, import.meta.url);

describe("E15: recorded spans of frameworks", () => {
  test.each(RECORDED)("E15: $name is told as it happened", async ({ name, conversation, happened }) => {
    const [told, ...others] = await conversationsFrom(recordedRequests(shortened(name)));
    expect(others).toEqual([]);
    expect(told?.conversation_id).toBe(conversation);
    expect(told && seenIn(told)).toEqual(happened);
    // The agent's instructions are told once a run.
    expect(told?.events.filter(({ type }) => type === "prompt.rendered").map(({ payload }) => payload)).toEqual([
      { prompt: expect.stringMatching(/(?:^|\n)You are a shop agent\.$/), iteration: 1 },
      { prompt: expect.stringMatching(/(?:^|\n)You are a shop agent\.$/), iteration: 1 },
    ]);
  });

  test.each(RECORDED)(
    "E15: $name gives the same events in any order, split and repetition of its spans",
    async ({ name }) => {
      const requests = recordedRequests(shortened(name));
      const inOrder = await conversationsFrom(requests);
      await fc.assert(
        fc.asyncProperty(
          fc.shuffledSubarray(requests, { minLength: requests.length }),
          fc.subarray(requests),
          async (shuffled, again) => {
            expect(await conversationsFrom([...shuffled, ...again])).toEqual(inOrder);
          },
        ),
        { numRuns: 10 },
      );
    },
  );

  for (const { name, conversation, happened } of RECORDED) {
    test.skipIf(!existsSync(whole(name)))(
      `E15: the whole recording of ${name} is told as it happened (skipped where ../shared/data/otlp is absent)`,
      async () => {
        const told = await conversationsFrom(recordedRequests(whole(name)));
        expect(told.map((one) => [one.conversation_id, seenIn(one)])).toEqual([[conversation, happened]]);
      },
    );
  }
});
