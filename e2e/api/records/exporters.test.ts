import { expect, test } from "vitest";
import { USAGE } from "../../exporters/model.ts";
import { type Program, runAgent } from "../../exporters/run.ts";
import { QUESTIONS } from "../../exporters/shop.ts";
import { readEvents } from "../setup/event-source.ts";
import { withServer } from "../setup/server.ts";

const server = withServer();

const LOST = { order_id: "A-1042", status: "lost", customer_id: "C-77310", total: 149.9 };
const DELIVERED = { order_id: "B-2077", status: "delivered", customer_id: "C-77310", total: 38.25 };
const WHY_NOT = "Order B-2077 was delivered and cannot be refunded";

const THREAD = [
  ["user", QUESTIONS[0]],
  ["assistant", "Order A-1042 is refunded."],
  ["user", QUESTIONS[1]],
  ["assistant", "Order B-2077 cannot be refunded."],
];

/** The tool calls of each agent in its two turns. */
const CALLS = [
  { tool: "find_order", status: "succeeded", params: { order_id: "A-1042" }, output: LOST },
  {
    ...{ tool: "refund", status: "succeeded", params: { order_id: "A-1042", amount: 149.9 } },
    output: { refund_id: "R-A-1042", amount: 149.9 },
  },
  { tool: "find_order", status: "succeeded", params: { order_id: "B-2077" }, output: DELIVERED },
  { tool: "refund", status: "failed", params: { order_id: "B-2077", amount: 38.25 } },
];

/** Runs an agent and waits until its last answer is recorded; returns the conversation. */
async function conversationOf(program: Program, id: string, more: Parameters<typeof runAgent>[3] = {}) {
  const { body } = await server.post("/api/events", { conversation_id: "places", type: "log" });
  const stream = await readEvents(server.url, `/api/stream?after=${body.events[0].position}`);
  try {
    await runAgent(program, server.url, id, more);
    const last = await stream.find(
      ({ type, data }) => type === "message.created" && data.payload.content === THREAD[3]?.[1],
    );
    const runId: string = last.data.run_id;
    const trace = runId.split(":").slice(0, 2).join(":");
    await stream.find(({ type, data }) => type === "run.finished" && data.run_id === trace);
    return String(last.data.conversation_id);
  } finally {
    stream.close();
  }
}

/** Events of these types, in order. */
async function eventsOf(id: string, ...types: string[]) {
  const response = await fetch(`${server.url}/api/conversations/${id}/export`);
  const lines = (await response.text()).trim().split("\n").slice(1);
  return lines.map((line) => JSON.parse(line)).filter(({ type }) => types.includes(type));
}

const AGENTS: [string, Program, Parameters<typeof runAgent>[3], { provider: string; code: string }][] = [
  ["OpenTelemetry by hand, in protobuf", "by-hand", {}, { provider: "openai", code: "Error" }],
  ["OpenTelemetry by hand, in JSON", "by-hand", { ENCODING: "json" }, { provider: "openai", code: "Error" }],
  ["LangGraph with OpenInference", "langgraph", {}, { provider: "openai", code: "error" }],
  ["Vercel's AI SDK", "vercel", {}, { provider: "openai", code: "Error" }],
  ["Vercel's AI SDK in its older names", "vercel", { FORM: "older" }, { provider: "openai.chat", code: "Error" }],
];

test.each(AGENTS)(
  "E15: %s: two turns are one conversation, with its runs, calls and tokens",
  {
    timeout: 180_000,
  },
  async (_, program, more, { provider, code }) => {
    const id = `shop-${AGENTS.findIndex((agent) => agent[2] === more)}`;
    expect(await conversationOf(program, id, more)).toBe(id);

    const { body: conversation } = await server.get(`/api/conversations/${id}`);
    expect(conversation).toMatchObject({ channel: "otlp", agent_id: "refunds", status: "idle" });
    const { body: view } = await server.get(`/api/conversations/${id}/view`);
    expect(view.warnings).toEqual([]);
    expect(view.messages.map(({ role, content }: { role: string; content: string }) => [role, content])).toEqual(
      THREAD,
    );
    expect(view.runs).toMatchObject([
      { status: "finished", agent_id: "refunds", iteration: 3 },
      { status: "finished", agent_id: "refunds", iteration: 3 },
    ]);
    expect(view.calls).toMatchObject(CALLS.map((call, index) => ({ ...call, iteration: (index % 2) + 1 })));
    expect(view.calls[3].error).toEqual({ code, message: WHY_NOT });
    // Named by the model's ids: nothing is recorded twice.
    expect(view.calls.map((call: { id: string }) => call.id)).toEqual(Array(4).fill(expect.stringMatching(/^call_/)));

    const asked = await eventsOf(id, "model.requested");
    expect(asked).toHaveLength(6);
    for (const { payload } of asked) expect(payload).toMatchObject({ provider, model: "stand-in-2026-01-01" });
    // The history is sent to the model with every request, with calls and results.
    expect(asked[3].payload.input).toMatchObject([
      { role: "user", parts: [{ type: "text", content: QUESTIONS[0] }] },
      { role: "assistant", parts: [{ type: "tool_call", name: "find_order", id: view.calls[0].id }] },
      { role: "tool", parts: [{ type: "tool_call_response", id: view.calls[0].id, response: LOST }] },
      { role: "assistant", parts: [{ type: "tool_call", name: "refund", id: view.calls[1].id }] },
      { role: "tool", parts: [{ type: "tool_call_response", id: view.calls[1].id }] },
      { role: "assistant", parts: [{ type: "text", content: "Order A-1042 is refunded." }] },
      { role: "user", parts: [{ type: "text", content: QUESTIONS[1] }] },
    ]);
    const prompts = await eventsOf(id, "prompt.rendered");
    expect(prompts.map(({ payload }) => payload.prompt)).toEqual(Array(2).fill("You look up orders and refund them."));
    const tokens = await server.get(`/api/conversations/${id}/tokens`);
    expect(tokens.body).toMatchObject({ input_tokens: 6 * USAGE.input, output_tokens: 6 * USAGE.output });
    await expectInferredEdges(id);
  },
);

test("E15: OpenAI's Agents SDK with OpenInference: a conversation without an id is its trace, with its agents' runs", {
  timeout: 180_000,
}, async () => {
  const id = await conversationOf("openai-agents", "");
  expect(id).toMatch(/^[0-9a-f]{32}$/);

  const { body: view } = await server.get(`/api/conversations/${id}/view`);
  expect(view.warnings).toEqual([]);
  expect(view.messages.map(({ role, content }: { role: string; content: string }) => [role, content])).toEqual(THREAD);
  const runs: { id: string; agent_id: string; parent_run_id: string | null; status: string }[] = view.runs;
  expect(runs.map(({ agent_id, parent_run_id, status }) => [agent_id, parent_run_id, status])).toEqual([
    ["shop", null, "finished"],
    ...["desk", "refunds", "desk", "refunds"].map((agent) => [agent, `otlp:${id}`, "finished"]),
  ]);
  const handover = { tool: "transfer_to_refunds", status: "succeeded", output: { to_agent: "refunds" } };
  expect(view.calls).toMatchObject([handover, ...CALLS.slice(0, 2), handover, ...CALLS.slice(2)]);
  // The SDK itself does not trace the tool's error.
  expect(view.calls[5].error.message).toMatch(/Error running tool.*refund/);

  const asked = await eventsOf(id, "model.requested");
  expect(asked).toHaveLength(8);
  for (const { payload } of asked) expect(payload).toMatchObject({ provider: "openai", model: "stand-in-2026-01-01" });
  // The agent's own message of the previous turn is in the history, too.
  const texts = asked[4].payload.input.flatMap(({ role, parts }: { role: string; parts: { content?: string }[] }) =>
    parts.flatMap(({ content }) => (content === undefined ? [] : [[role, content]])),
  );
  expect(texts).toEqual(THREAD.slice(0, 3));
  const prompts = await eventsOf(id, "prompt.rendered");
  expect(prompts.map(({ agent_id, payload }) => [agent_id, payload.prompt])).toEqual(
    [1, 2].flatMap(() => [
      ["desk", "You hand over to who can help."],
      ["refunds", "You look up orders and refund them."],
    ]),
  );
  await expectInferredEdges(id);
});

/** Without a plan, both refunds use the result of looking up the order, and the number in the user's message. */
async function expectInferredEdges(id: string) {
  const { body: view } = await server.get(`/api/conversations/${id}/view`);
  const tools = new Map(view.calls.map(({ id, tool }: { id: string; tool: string }) => [id, tool]));
  const { body } = await server.get(`/api/conversations/${id}/inferred-edges`);
  const edges: {
    from: { kind: string; call?: { call_id: string }; path?: string };
    to: { call_id: string };
    to_path: string;
    value: string;
  }[] = body.items;
  const told = edges.map(({ from, to, to_path, value }) => [
    from.call ? `${tools.get(from.call.call_id)}${from.path}` : from.kind,
    `${tools.get(to.call_id)}${to_path}`,
    value,
  ]);
  expect(told).toEqual([
    ["message", "find_order/order_id", "A-1042"],
    ["message", "refund/order_id", "A-1042"],
    ["find_order/total", "refund/amount", "149.9"],
    ["message", "find_order/order_id", "B-2077"],
    ["message", "refund/order_id", "B-2077"],
    ["find_order/total", "refund/amount", "38.25"],
  ]);
}
