import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BaseEvent, HttpAgent, type Message } from "@ag-ui/client";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { breaches } from "../../../lib/intake/ag-ui/testing/protocol.ts";
import {
  type Answer,
  type ResponsesServer,
  startResponsesServer,
} from "../../../lib/model/testing/responses-server.ts";
import { isJsonObject, type JsonObject } from "../../../lib/session/json/json.ts";
import { withOutside } from "../setup/outside.ts";
import { temporaryDirectory, withServer } from "../setup/server.ts";

const outside = withOutside(async ({ call }) => ({ body: { paid: call.amount ?? null } }));
let model: ResponsesServer;
let agentsDir: string;
/** Streams do not go on past this until it is released. */
let gate: PromiseWithResolvers<void> | null = null;
beforeAll(async () => {
  agentsDir = await temporaryDirectory();
  const agent = { instructions: "Help.", mode: "full", tools: ["pay"] };
  await writeFile(join(agentsDir, "shop.json"), JSON.stringify(agent));
  await writeFile(join(agentsDir, "other.json"), JSON.stringify(agent));
  model = await startResponsesServer();
});
afterAll(() => model.close());
const server = withServer({
  OBELUS_MODEL: "worker",
  get OBELUS_MODEL_BASE_URL() {
    return model.baseUrl;
  },
  get OBELUS_AGENTS_DIR() {
    return agentsDir;
  },
  get OBELUS_HTTP_TOOL_HOSTS() {
    return outside.host;
  },
});

const MAP = {
  name: "show_map",
  description: "Shows a place",
  parameters: { type: "object", properties: { place: { type: "string" } }, required: ["place"] },
};
const call = (call_id: string, name: string, params: object): Answer => ({
  items: [{ call_id, name, arguments: JSON.stringify(params) }],
});
const says = (text: string, delta = 4): Answer => ({ items: [{ text }], delta });

let count = 0;
function frontEnd(agent = "shop"): HttpAgent {
  count += 1;
  return new HttpAgent({ url: `${server.url}/api/agents/${agent}/ag-ui`, threadId: `thread-${count}` });
}

/** Runs the agent; returns the events as they came, which keep the protocol's rules. */
async function run(agent: HttpAgent, parameters: Parameters<HttpAgent["runAgent"]>[0] = {}): Promise<BaseEvent[]> {
  const events: BaseEvent[] = [];
  await agent.runAgent(parameters, { onEvent: ({ event }) => void events.push(event) });
  expect(breaches(events as never)).toEqual([]);
  expect(events.filter(({ type }) => type === "RUN_STARTED")).toHaveLength(1);
  return events;
}

function say(agent: HttpAgent, content: string): void {
  agent.addMessage({ id: `m${agent.messages.length}`, role: "user", content });
}

const typesOf = (events: readonly BaseEvent[]) => events.map(({ type }) => type);
const last = (events: readonly BaseEvent[]): JsonObject => JSON.parse(JSON.stringify(events.at(-1)));
const textsOf = ({ messages }: HttpAgent) =>
  messages.flatMap((message: Message) => (message.role === "assistant" && message.content ? [message.content] : []));
const lastAsked = () => JSON.stringify(model.requests.at(-1)?.asked.input);

/** A request without the client's library. */
const post = (input: JsonObject, agent = "shop") =>
  server.post(`/api/agents/${agent}/ag-ui`, { runId: "r", messages: [], tools: [], context: [], ...input });

beforeEach(() => {
  gate?.resolve();
  gate = null;
});

describe("an agent in an AG-UI front end", () => {
  beforeAll(async () => {
    const registered = await server.post("/api/tools", {
      name: "pay",
      description: "Pays",
      schema: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
      activity: { type: "http", url: `http://${outside.host}/pay` },
      requires_confirmation: true,
    });
    expect(registered.status).toBe(201);
  });

  it("streams its answer, and the conversation is recorded as any other", async () => {
    const agent = frontEnd();
    const text = "Hello 👋, what can I do for you?\n\nAsk.";
    model.queue({
      ...{ items: [{ text }], delta: 3 },
      before: (type, sequence) =>
        type === "response.output_text.delta" && sequence > 8 ? new Promise((done) => setImmediate(done)) : undefined,
    });
    say(agent, "Hi");
    const events = await run(agent);
    expect(textsOf(agent)).toEqual([text]);
    expect(last(events)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" }, result: text });
    // What a run is made of stays here.
    expect(typesOf(events)).not.toContain("CUSTOM");
    const { body } = await server.get(`/api/conversations/${agent.threadId}`);
    expect(body).toMatchObject({ agent_id: "shop", channel: "ag-ui", message_count: 2 });

    model.queue(says("Sure."));
    say(agent, "Remember me?");
    await run(agent);
    expect(textsOf(agent)).toEqual([text, "Sure."]);
    expect((await server.get(`/api/conversations/${agent.threadId}`)).body.message_count).toBe(4);
  });

  it("streams drafts before the answer is complete", async () => {
    const agent = frontEnd();
    const held = Promise.withResolvers<void>();
    gate = held;
    model.queue({
      items: [{ text: "One two three" }],
      delta: 4,
      before: (type) => (type === "response.output_text.done" ? held.promise : undefined),
    });
    say(agent, "Count");
    const seen = Promise.withResolvers<void>();
    const running = agent.runAgent({}, { onTextMessageContentEvent: () => seen.resolve() });
    await seen.promise;
    held.resolve();
    await running;
    expect(textsOf(agent)).toEqual(["One two three"]);
  });

  it("calls tools of the front end, which it answers in the next request of the same run", async () => {
    const agent = frontEnd();
    model.queue(call("c1", "show_map", { place: "Oslo" }), says("There it is."));
    say(agent, "Where is Oslo?");
    const events = await run(agent, { tools: [MAP] });
    expect(typesOf(events)).toContain("TOOL_CALL_START");
    expect(last(events)).toMatchObject({ outcome: { type: "success", pendingToolCallIds: ["c1"] } });
    expect(model.requests.at(-1)?.asked.tools).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ name: "show_map" })]),
    );
    expect((await server.get(`/api/conversations/${agent.threadId}/view`)).body.runs).toMatchObject([
      { status: "waiting" },
    ]);
    agent.addMessage({ id: "t1", role: "tool", toolCallId: "c1", content: '{"shown":true}' });
    const more = await run(agent, { tools: [MAP] });
    expect(typesOf(more)).not.toContain("TOOL_CALL_RESULT");
    expect(textsOf(agent)).toEqual(["There it is."]);
    expect(lastAsked()).toContain('\\"shown\\":true');
    const { runs } = (await server.get(`/api/conversations/${agent.threadId}/view`)).body;
    expect(runs).toMatchObject([{ status: "finished" }]);
  });

  it("a result together with the user's next message", async () => {
    const agent = frontEnd();
    model.queue(call("c1", "show_map", { place: "Oslo" }), says("There."), says("And there."));
    say(agent, "Where is Oslo?");
    await run(agent, { tools: [MAP] });
    agent.addMessage({ id: "t1", role: "tool", toolCallId: "c1", content: "ok" });
    say(agent, "And Rome?");
    await run(agent, { tools: [MAP] });
    const { items } = (await server.get(`/api/conversations/${agent.threadId}/messages`)).body;
    const answers = items.filter(({ role }: { role: string }) => role === "assistant");
    expect(answers.map(({ content }: { content: string }) => content)).toEqual(["There.", "And there."]);
    expect(textsOf(agent)).toEqual(["And there."]);
  });

  it("a result that is an error, and two calls at once", async () => {
    const agent = frontEnd();
    const native = ["a", "b"].map((call_id) => ({ call_id, name: "show_map", arguments: '{"place":"X"}' }));
    model.queue({ items: native }, says("One failed."));
    say(agent, "Show both");
    expect(last(await run(agent, { tools: [MAP] }))).toMatchObject({ outcome: { pendingToolCallIds: ["a", "b"] } });
    const half = await post({
      threadId: agent.threadId,
      messages: [{ id: "t", role: "tool", toolCallId: "a", content: "seen" }],
    });
    expect([half.status, half.body.detail]).toEqual([400, expect.stringContaining("of b; send all")]);
    agent.addMessage({ id: "t1", role: "tool", toolCallId: "a", content: "seen" });
    agent.addMessage({ id: "t2", role: "tool", toolCallId: "b", content: "", error: "no such place" });
    await run(agent, { tools: [MAP] });
    expect(textsOf(agent)).toEqual(["One failed."]);
    expect(lastAsked()).toContain("no such place");
  });

  it("has the state of the front end, and writes to it", async () => {
    const agent = frontEnd();
    agent.setState({ cart: { items: 2 }, note: "keep" });
    model.queue(call("c1", "show_map", { place: "†state.note", _outputPath: "†state.cart.seen" }), says("Done"));
    say(agent, "Look");
    const events = await run(agent, { tools: [MAP], context: [{ description: "page", value: "checkout" }] });
    expect(model.requests.at(-1)?.asked.input).toEqual(
      expect.arrayContaining([{ role: "user", content: expect.stringContaining('"cart":{"items":2}') }]),
    );
    expect(lastAsked()).toContain("checkout");
    const args = events.flatMap((event) => ("delta" in event && event.type === "TOOL_CALL_ARGS" ? [event.delta] : []));
    expect(args.join("")).toContain("keep");
    agent.addMessage({ id: "t1", role: "tool", toolCallId: "c1", content: "yes" });
    const more = await run(agent, { tools: [MAP] });
    expect(typesOf(more)).toContain("STATE_DELTA");
    expect(agent.state).toEqual({ cart: { items: 2, seen: "yes" }, note: "keep" });
  });

  it.each([
    ["resolved", { approved: true }, "Paid."],
    ["cancelled", undefined, "Not paid."],
  ] as const)("asks for approvals by interrupts: %s", async (status, payload, answer) => {
    const agent = frontEnd();
    model.queue(call("p1", "pay", { amount: 5 }), says(answer));
    say(agent, "Pay 5");
    const asked = outside.asked.length;
    const events = await run(agent);
    expect(last(events)).toMatchObject({ outcome: { type: "interrupt", interrupts: [{ reason: "confirmation" }] } });
    const [interrupt] = agent.pendingInterrupts;
    const interruptId = interrupt?.id ?? "";
    // What is not clear carries nothing out, and neither does one answer of two.
    const unclear = [
      { interruptId, status: "resolved" },
      ...["no", 0, { approved: "false" }].map((told) => ({ interruptId, status: "resolved", payload: told })),
    ];
    for (const one of unclear) expect((await post({ threadId: agent.threadId, resume: [one] })).status).toBe(400);
    const twice = [true, false].map((told) => ({ interruptId, status: "resolved", payload: told }));
    expect((await post({ threadId: agent.threadId, resume: twice })).status).toBe(400);
    await run(agent, { resume: [{ interruptId, status, ...(payload && { payload }) }] });
    expect(textsOf(agent).at(-1)).toBe(answer);
    expect(outside.asked.length - asked).toBe(status === "resolved" ? 1 : 0);
    const again = await post({ threadId: agent.threadId, resume: [{ interruptId, status, payload: true }] });
    expect([again.status, again.body.detail]).toEqual([409, expect.stringContaining("is not pending")]);
  });

  it("a model's failure is RUN_ERROR", async () => {
    const agent = frontEnd();
    model.queue({ status: 400, message: "no such field" });
    say(agent, "Break");
    const events: BaseEvent[] = [];
    await agent
      .runAgent({}, { onEvent: ({ event }) => void events.push(event) })
      .catch((error: unknown) => expect(String(error)).toContain("no such field"));
    expect(last(events)).toMatchObject({ type: "RUN_ERROR", code: "model_failed" });
  });

  it("a disconnect does not end the run, and the same request streams it again", async () => {
    const agent = frontEnd();
    const held = Promise.withResolvers<void>();
    gate = held;
    model.queue({
      items: [{ text: "Slowly but surely" }],
      delta: 4,
      before: (type) => (type === "response.output_text.done" ? held.promise : undefined),
    });
    const input = { threadId: agent.threadId, messages: [{ id: "u1", role: "user", content: "Go" }] };
    const gone = new AbortController();
    const response = await fetch(`${server.url}/api/agents/shop/ag-ui`, {
      ...{ method: "POST", headers: { "content-type": "application/json" }, signal: gone.signal },
      body: JSON.stringify({ runId: "r1", tools: [], context: [], ...input }),
    });
    await response.body?.getReader().read();
    gone.abort();
    const again = post({ ...input, runId: "r2" });
    held.resolve();
    const { body } = await again;
    expect(body).toContain("Slowly");
    expect(body).toContain('"type":"RUN_FINISHED","threadId"');
    const { items } = (await server.get(`/api/conversations/${agent.threadId}/messages`)).body;
    expect(items.map(({ content }: { content: string }) => content)).toEqual(["Go", "Slowly but surely"]);
  });

  it("two runs at once on a thread are answered one after the other", async () => {
    const agent = frontEnd();
    const held = Promise.withResolvers<void>();
    gate = held;
    model.queue(
      { items: [{ text: "first" }], before: (type) => (type === "response.created" ? held.promise : undefined) },
      says("second"),
    );
    const ask = (id: string) =>
      post({ threadId: agent.threadId, runId: id, messages: [{ id, role: "user", content: id }] });
    const both = [ask("u1")];
    while ((await server.get(`/api/conversations/${agent.threadId}`)).body.message_count !== 1);
    both.push(ask("u2"));
    held.resolve();
    const [first, second] = await Promise.all(both);
    expect([first?.body, second?.body]).toEqual([
      expect.stringContaining('"result":"first"'),
      expect.stringContaining('"result":"second"'),
    ]);
    expect(first?.body).not.toContain("second");
  });

  it("kill -9 in the middle of a stream: the same request gets the answer of the same run", async () => {
    const agent = frontEnd();
    const held = Promise.withResolvers<void>();
    gate = held;
    model.queue({
      items: [{ text: "Lost words" }],
      delta: 4,
      before: (type) => (type === "response.output_text.done" ? held.promise : undefined),
    });
    const input = { threadId: agent.threadId, messages: [{ id: "u1", role: "user", content: "Go" }] };
    const response = await fetch(`${server.url}/api/agents/shop/ag-ui`, {
      ...{ method: "POST", headers: { "content-type": "application/json" } },
      body: JSON.stringify({ runId: "r1", tools: [], context: [], ...input }),
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let seen = ""; !seen.includes("Lost"); ) seen += (await reader?.read())?.value ?? "";
    const cut = reader?.read().catch(() => undefined);
    model.queue(says("Said again."));
    await server.restart("SIGKILL");
    await cut;
    held.resolve();
    const { body } = await post({ ...input, runId: "r2" });
    expect(body).toContain('"result":"Said again."');
    const { runs } = (await server.get(`/api/conversations/${agent.threadId}/view`)).body;
    expect(runs).toMatchObject([{ status: "finished" }]);
  });

  it("a run that waits for results survives kill -9", async () => {
    const agent = frontEnd();
    model.queue(call("c9", "show_map", { place: "Oslo" }), says("Still here."));
    say(agent, "Where?");
    await run(agent, { tools: [MAP] });
    await server.restart("SIGKILL");
    const continued = new HttpAgent({ url: `${server.url}/api/agents/shop/ag-ui`, threadId: agent.threadId });
    continued.setMessages([...agent.messages, { id: "t1", role: "tool", toolCallId: "c9", content: "ok" }]);
    await run(continued, { tools: [MAP] });
    expect(textsOf(continued)).toEqual(["Still here."]);
  });
});

describe("a request that cannot be answered is refused with a sentence", () => {
  const user = (content: unknown = "Hi", id = "u1") => [{ id, role: "user", content }];

  it.each<[string, JsonObject | (() => JsonObject), number, string]>([
    ["no thread", { messages: user() as never, threadId: "" }, 400, "/threadId"],
    ["no messages", { threadId: "bad" }, 400, "/messages must end with"],
    [
      "the agent's own message last",
      { threadId: "bad", messages: [{ id: "a", role: "assistant", content: "x" }] },
      400,
      "/messages",
    ],
    [
      "an image",
      { threadId: "bad", messages: user([{ type: "image", source: { type: "url", value: "x" } }]) as never },
      400,
      "only text",
    ],
    [
      "an empty message",
      { threadId: "bad", messages: user("") as never },
      400,
      "/messages/0/content must not be empty",
    ],
    ["a message that is too long", { threadId: "bad", messages: user("x".repeat(100_001)) as never }, 413, "100000"],
    ["a state that is no object", { threadId: "bad", messages: user() as never, state: [1] }, 400, "/state"],
    [
      "a state that is too long",
      { threadId: "bad", messages: user() as never, state: { x: "x".repeat(200_001) } },
      413,
      "/state",
    ],
    [
      "a tool of this server",
      { threadId: "bad", messages: user() as never, tools: [{ name: "pay", description: "" }] },
      400,
      "a tool of this server",
    ],
    ["a tool twice", { threadId: "bad", messages: user() as never, tools: [MAP, MAP] }, 400, "an earlier tool"],
    [
      "parameters that are no schema",
      { threadId: "bad", messages: user() as never, tools: [{ ...MAP, parameters: "x" }] },
      400,
      "/tools/0/parameters",
    ],
    [
      "too many tools",
      {
        threadId: "bad",
        messages: user() as never,
        tools: Array.from({ length: 65 }, (_, n) => ({ ...MAP, name: `t${n}` })),
      },
      413,
      "at most 64",
    ],
    [
      "a result of no call",
      { threadId: "bad", messages: [{ id: "t", role: "tool", toolCallId: "nope", content: "x" }] },
      409,
      "nope does not wait",
    ],
    [
      "an interrupt that is none",
      { threadId: "bad", resume: [{ interruptId: "nope", status: "resolved", payload: true }] },
      409,
      "nope is not pending",
    ],
  ])("%s", async (_, input, status, words) => {
    const { body, ...answer } = await post(typeof input === "function" ? input() : input);
    expect([answer.status, body.detail]).toEqual([status, expect.stringContaining(words)]);
  });

  it("giant inputs", async () => {
    const messages = Array.from({ length: 10_001 }, (_, n) => ({ id: `m${n}`, role: "user", content: "x" }));
    expect((await post({ threadId: "bad", messages })).status).toBe(400);
    expect((await post({ threadId: "bad", messages: user("x".repeat(6_000_000)) as never })).status).toBe(413);
    const deep = `{"threadId":"bad","runId":"r","messages":[],"state":${'{"a":'.repeat(100)}1${"}".repeat(100)}}`;
    expect((await server.postRaw("/api/agents/shop/ag-ui", deep, "application/json")).status).toBe(400);
    const properties = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`p${n}`, { type: "string" }]));
    const large = { ...MAP, parameters: { type: "object", properties } };
    const { status, body } = await post({ threadId: "bad", messages: user() as never, tools: [large] });
    expect([status, body.detail]).toEqual([400, expect.stringContaining("1500 parts")]);
    expect((await server.get("/api/conversations/bad/messages")).body.items ?? []).toEqual([]);
  });

  it("a thread that is a channel's conversation", async () => {
    const { status, body } = await post({ threadId: "telegram:1", messages: user() as never });
    expect([status, body.detail]).toEqual([400, expect.stringContaining("a conversation of a channel")]);
    expect((await server.get("/api/conversations/telegram:1")).status).toBe(404);
  });

  it("a message of a role that there is not", async () => {
    const { status, body } = await post({
      threadId: "bad",
      messages: [{ id: "m", role: "evil", content: "x" }] as never,
    });
    expect([status, body.detail]).toEqual([
      400,
      expect.stringContaining('/messages/0/role must be one of "developer"'),
    ]);
  });

  it("a tool whose schema refers to nothing but itself", async () => {
    const parameters = { type: "object", properties: { a: { $ref: "#/properties/a" } } };
    const { status, body } = await post({
      ...{ threadId: "bad", messages: user() as never },
      tools: [{ ...MAP, parameters }],
    });
    expect([status, body.detail]).toEqual([400, expect.stringContaining("a $ref that leads back to itself")]);
  });

  it("an unknown agent, and a thread of another agent", async () => {
    expect((await post({ threadId: "x", messages: user() as never }, "nobody")).status).toBe(404);
    model.queue(says("Hi"));
    await post({ threadId: "taken", messages: user() as never });
    const { status, body } = await post({ threadId: "taken", messages: user() as never }, "other");
    expect([status, body.detail]).toEqual([409, expect.stringContaining("the agent shop answers")]);
  });

  it("a new message while a run waits for results", async () => {
    const agent = frontEnd();
    model.queue(call("c1", "show_map", { place: "Oslo" }));
    say(agent, "Where?");
    await run(agent, { tools: [MAP] });
    const { status, body } = await post({ threadId: agent.threadId, messages: user("Never mind", "u9") as never });
    expect([status, body.detail]).toEqual([409, expect.stringContaining("waits for the results of c1")]);
    const { runs } = (await server.get(`/api/conversations/${agent.threadId}/view`)).body;
    const [waiting] = Array.isArray(runs) ? runs.filter(isJsonObject) : [];
    expect((await server.post(`/api/runs/${waiting?.id}/cancel`, {})).status).toBeLessThan(300);
    model.queue(says("Fine."));
    const after = await post({ threadId: agent.threadId, messages: user("Never mind", "u9") as never });
    expect(after.body).toContain("Fine.");
  });
});
