import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ResponsesServer, startResponsesServer } from "../../../lib/model/testing/responses-server.ts";
import { withoutTimeLine } from "../../../lib/prompt/time-line.ts";
import { isJsonObject, type JsonObject } from "../../../lib/session/json/json.ts";
import { ENDS, until } from "../setup/crm-talk.ts";
import { withOutside } from "../setup/outside.ts";
import { withServer } from "../setup/server.ts";

const outside = withOutside(async () => ({ body: { done: true } }));
let model: ResponsesServer;
beforeAll(async () => {
  model = await startResponsesServer(answerTurn);
});
afterAll(() => model.close());
const server = withServer({
  OBELUS_MODEL: "keeper",
  get OBELUS_MODEL_BASE_URL() {
    return model.baseUrl;
  },
  get OBELUS_HTTP_TOOL_HOSTS() {
    return outside.host;
  },
});

/** Calls the tool that the user names, then repeats all input. */
function answerTurn({ input }: JsonObject) {
  const items = Array.isArray(input) ? input.filter(isJsonObject) : [];
  const said = items.filter(({ role, content }) => role !== undefined && !textOf(content).startsWith("{"));
  const newest = said.findLast(({ role }) => role === "user") ?? {};
  const asked = textOf(newest.content);
  const isDone = items.slice(items.indexOf(newest)).some(({ type }) => type === "function_call_output");
  if (asked === "silence") return { items: [], failed: { code: "server_error", message: "worker died" } };
  if (!isDone && ["plain", "risky"].includes(asked))
    return { items: [{ text: "One moment." }, { call_id: `call-${items.length}`, name: asked, arguments: "{}" }] };
  return { items: [{ text: `heard ${said.map(({ content }) => textOf(content)).join(", ")}` }] };
}

/** The text of a message, as one string or in parts. */
function textOf(content: unknown): string {
  if (Array.isArray(content)) return content.map((part) => textOf(part?.text)).join("");
  return withoutTimeLine(String(content));
}

beforeAll(async () => {
  for (const name of ["plain", "risky"]) {
    const tool = { name, description: `Is ${name}`, schema: { type: "object", properties: {} } };
    const activity = { type: "http", url: `http://${outside.host}/${name}` };
    const { status } = await server.post("/api/tools", { ...tool, activity, requires_confirmation: name === "risky" });
    expect(status).toBe(201);
  }
});

let count = 0;
let id = "";
beforeEach(() => {
  id = `c${count++}`;
});

/** Creates an agent, and a conversation with it. */
async function meet(agent: JsonObject = {}): Promise<void> {
  const definition = { instructions: "Help.", mode: "full", tools: ["plain", "risky"], ...agent };
  expect((await server.send("PUT", `/api/agents/${id}`, definition)).status).toBe(201);
  expect((await server.post("/api/conversations", { id, user_id: id, agent_id: id })).status).toBe(201);
}

async function begin(content: string): Promise<string> {
  const { status, body } = await server.post(`/api/conversations/${id}/messages`, { content });
  expect(status).toBe(202);
  return body.run_id;
}

/** Sends a message; returns the requests of its turn. */
async function say(content: string, ends: readonly string[] = ENDS): Promise<JsonObject[]> {
  const before = model.requests.length;
  const run_id = await begin(content);
  await until(server, { conversation_id: id, run_id }, ends);
  return model.requests.slice(before).map(({ body }) => body);
}

const eventsOf = async (type: string) => (await server.get(`/api/conversations/${id}/events?type=${type}`)).body.items;
const answers = async (): Promise<string[]> =>
  (await server.get(`/api/conversations/${id}/messages?limit=200`)).body.items
    .filter(({ role }: JsonObject) => role === "assistant")
    .map(({ content }: JsonObject) => content);
const lastAnswer = async () => (await answers()).at(-1);
const stored = async () => (await server.get(`/api/agent-state/dialog:${id}/response_id`)).body;
const wordsIn = ({ input }: JsonObject): string[] =>
  (Array.isArray(input) ? input.filter(isJsonObject) : [])
    .filter(({ role, content }) => role !== undefined && !String(content).startsWith("{"))
    .map(({ role, content }) => `${role}: ${textOf(content)}`);
const typesIn = ({ input }: JsonObject): unknown[] =>
  (Array.isArray(input) ? input.filter(isJsonObject) : []).flatMap(({ type }) => type ?? []);
const goesOnFrom = ({ previous_response_id, store }: JsonObject) => [previous_response_id, store];

describe("D7: a dialog continues from its last response", () => {
  it("a turn sends new messages, and its next request the results of its calls", async () => {
    await meet();
    const [first] = await say("one");
    expect(goesOnFrom(first ?? {})).toEqual([undefined, true]);
    expect(await lastAnswer()).toBe("heard one");
    const { response_id } = await stored();
    const [second, third] = await say("plain");
    expect(goesOnFrom(second ?? {})).toEqual([response_id, true]);
    expect(wordsIn(second ?? {})).toEqual(["user: plain"]);
    const [, responded] = await eventsOf("model.responded");
    expect(goesOnFrom(third ?? {})).toEqual([responded.payload.response_id, true]);
    expect([wordsIn(third ?? {}), typesIn(third ?? {})]).toEqual([[], ["function_call_output"]]);
    expect(await answers()).toEqual(["heard one", "One moment.", "heard one, heard one, plain, One moment."]);
    const requested = await eventsOf("model.requested");
    expect(requested.map(({ payload }: { payload: JsonObject }) => payload.previous_response_id)).toEqual(
      [first, second, third].map((request) => request?.previous_response_id),
    );
  });

  it("H6: the log has what was sent, and that the provider stores the rest", async () => {
    await meet();
    await say("one");
    const { response_id } = await stored();
    await say("two");
    const [whole, rest] = (await eventsOf("prompt.rendered")).map(
      ({ payload }: { payload: { history: JsonObject } }) => payload.history,
    );
    expect(whole).toMatchObject({ source: "provider", total: 1 });
    expect(whole).not.toHaveProperty("previous_response_id");
    expect(rest).toMatchObject({ source: "provider", total: 1, previous_response_id: response_id });
  });

  it("a deleted response is dropped, and the turn repeated from the history", async () => {
    await meet();
    await say("one");
    model.forget();
    const [refused, repeated] = await say("two");
    expect(refused?.previous_response_id).toBeDefined();
    expect(goesOnFrom(repeated ?? {})).toEqual([undefined, true]);
    expect(wordsIn(repeated ?? {})).toEqual(["user: one", "assistant: heard one", "user: two"]);
    expect(await lastAnswer()).toBe("heard one, heard one, two");
    const [failed] = await eventsOf("model.failed");
    expect(failed.payload).toMatchObject({ iteration: 1, error: { code: "unknown_response" } });
    const [again] = await say("three");
    expect(again?.previous_response_id).toBe((await eventsOf("model.responded"))[1].payload.response_id);
  });

  it("deleted in the middle of a turn: its calls and results are sent again", async () => {
    await meet();
    const calls = [{ text: "One moment." }, { call_id: "c1", name: "plain", arguments: "{}" }];
    const asked = model.requests.length;
    model.queue({ items: calls, before: (type) => (type === "response.completed" ? model.forget() : undefined) });
    const [, refused, repeated] = await say("plain");
    expect(model.requests.length - asked).toBe(3);
    expect(typesIn(refused ?? {})).toEqual(["function_call_output"]);
    expect(wordsIn(repeated ?? {})).toEqual(["user: plain", "assistant: One moment."]);
    expect(typesIn(repeated ?? {})).toEqual(["function_call", "function_call_output"]);
    expect((await eventsOf("run.iteration")).length).toBe(2);
  });

  it("a chain that is too long starts anew from the history, which is limited", async () => {
    await meet({ history: { max_messages: 2 } });
    await say("one");
    model.queue({ status: 400, code: "context_length_exceeded", message: "Too long" });
    const [, repeated] = await say("two");
    expect(wordsIn(repeated ?? {})).toEqual(["system: (Messages left out: 1)", "user: one", "user: two"]);
    expect(await lastAnswer()).toContain("two");
  });

  it("continues after kill -9", async () => {
    await meet();
    await say("one");
    const { response_id } = await stored();
    await server.restart("SIGKILL");
    const [second] = await say("two");
    expect([second?.previous_response_id, wordsIn(second ?? {})]).toEqual([response_id, ["user: two"]]);
  });

  it("an agent that is switched to has its own chain", async () => {
    await meet();
    await say("one");
    const other = { ...(await stored()), agent_id: "somebody-else" };
    expect((await server.send("PUT", `/api/agent-state/dialog:${id}/response_id`, other)).status).toBe(200);
    const [second] = await say("two");
    expect(goesOnFrom(second ?? {})).toEqual([undefined, true]);
    expect(wordsIn(second ?? {})).toHaveLength(3);
  });

  it("while a run waits, the next turn starts a new chain from the history", async () => {
    await meet();
    await say("one");
    await say("risky", ["run.waiting"]);
    const [next] = await say("two");
    expect(goesOnFrom(next ?? {})).toEqual([undefined, true]);
    expect(wordsIn(next ?? {}).slice(0, 4)).toEqual([
      ...["user: one", "assistant: heard one", "user: risky", "assistant: One moment."],
    ]);
    const [{ id: confirmation }] = (await server.get(`/api/confirmations?status=requested&conversation_id=${id}`)).body
      .items;
    const before = model.requests.length;
    const decided = await server.post(`/api/confirmations/${confirmation}/decision`, { decision: "approve" });
    expect(decided.status).toBe(200);
    await until(server, { conversation_id: id, run_id: (await eventsOf("run.waiting"))[0].run_id }, ENDS);
    const own = model.requests[before]?.body ?? {};
    // The waiting turn continues from its own response, with the messages since.
    expect(typesIn(own)).toEqual(["function_call_output"]);
    expect(wordsIn(own)).toEqual([expect.stringMatching(/^assistant: heard one, .*two$/s)]);
  });

  it("a failed turn drops it: the next starts anew, and includes the failure", async () => {
    await meet();
    await say("one");
    await say("silence");
    expect(await stored()).toBeNull();
    const [next] = await say("two");
    expect(goesOnFrom(next ?? {})).toEqual([undefined, true]);
    expect(wordsIn(next ?? {})).toHaveLength(5);
  });

  it("D11: a manager's messages reach the model after the conversation is handed back", async () => {
    await meet();
    await say("one");
    const { response_id } = await stored();
    expect((await server.post(`/api/conversations/${id}/takeover`, {})).status).toBe(200);
    for (const [role, content] of [
      ["user", "Is anybody there?"],
      ["operator", "I am"],
    ])
      await server.post(`/api/conversations/${id}/messages`, { content, role });
    expect((await server.post(`/api/conversations/${id}/handback`, {})).status).toBe(200);
    const [next] = await say("two");
    expect(next?.previous_response_id).toBe(response_id);
    expect(wordsIn(next ?? {}).filter((words) => !words.startsWith("system"))).toEqual([
      ...["user: Is anybody there?", "assistant: I am", "user: two"],
    ]);
  });
});

describe("D7: if the provider stores nothing", () => {
  it("an agent with its history in the prompt sends all of it, and stores nothing", async () => {
    await meet({ instructions: "{{messageHistory}}", history: { source: "prompt" } });
    await say("one");
    const requests = await say("plain");
    expect(requests.map(goesOnFrom)).toEqual([
      [undefined, false],
      [undefined, false],
    ]);
    expect(typesIn(requests[1] ?? {})).toEqual(["function_call", "function_call_output"]);
    expect((await server.get(`/api/agent-state/dialog:${id}/response_id`)).status).toBe(404);
  });

  it("a request without an agent is not stored either", async () => {
    const before = model.requests.length;
    model.queue({ items: [{ text: JSON.stringify({ result: "short" }) }] });
    const properties = { text: { type: "string" }, _output: { type: "string" } };
    const latent = { name: "shorten", description: "", schema: { type: "object", properties, required: ["text"] } };
    const plan = [{ _tool: "shorten", _id: "a", text: "long" }];
    const { status, body } = await server.post("/api/plans/run", { plan, tools: [latent], context: [] });
    expect([status, body.detail]).toEqual([202, undefined]);
    await until(server, { conversation_id: body.conversation_id, run_id: body.run_id }, ENDS);
    expect(goesOnFrom(model.requests[before]?.body ?? {})).toEqual([undefined, false]);
  });
});

describe("D8: the time is before the user's newest message, and is not stored", () => {
  const newest = ({ input }: JsonObject) =>
    String((Array.isArray(input) ? input.filter(isJsonObject) : []).findLast(({ role }) => role === "user")?.content);

  it.each([
    ["provider", {}],
    ["prompt", { instructions: "{{messageHistory}}", history: { source: "prompt" } }],
  ])("in Moscow's zone where nobody names one, with the history from the %s", async (_, agent) => {
    await meet({ tools: [], locale: "ru", ...agent });
    const [request] = await say("привет");
    expect(newest(request ?? {})).toMatch(/^\[\p{L}+, \d+ \p{L}+ \d{4} г\., \d\d:\d\d Europe\/Moscow\]\nпривет$/u);
    const { items } = (await server.get(`/api/conversations/${id}/messages`)).body;
    expect(items[0].content).toBe("привет");
  });

  it("in the agent's zone, if set", async () => {
    await meet({ tools: [], timezone: "Asia/Tokyo" });
    const [request] = await say("hello");
    expect(newest(request ?? {})).toMatch(/^\[\w+, \w+ \d+, \d{4}, \d\d:\d\d Asia\/Tokyo\]\nhello$/);
  });
});
