import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Received,
  type ResponsesServer,
  startResponsesServer,
} from "../../../lib/model/testing/responses-server.ts";
import { withoutTimeLine } from "../../../lib/prompt/time-line.ts";
import { isJsonObject, type JsonObject } from "../../../lib/session/json/json.ts";
import { ENDS, until } from "../setup/crm-talk.ts";
import { withServer } from "../setup/server.ts";

const SECRET = "sk-secret-of-the-test";
const ZONE = "Asia/Kathmandu";

let model: ResponsesServer;
beforeAll(async () => {
  model = await startResponsesServer(() => ({ items: [{ text: `answer ${model.requests.length}` }] }));
});
afterAll(() => model.close());
const server = withServer(
  {
    ...{ OBELUS_MODEL: "recording", OBELUS_MODEL_API_KEY: SECRET, OBELUS_LOG_LEVEL: "info", OBELUS_DEBUG_PROMPTS: "1" },
    get OBELUS_MODEL_BASE_URL() {
      return model.baseUrl;
    },
  },
  { logs: true },
);

/** Creates an agent, and a conversation of that name with it. */
async function meet(name: string, agent: JsonObject, metadata: JsonObject = {}): Promise<void> {
  const written = await server.send("PUT", `/api/agents/${name}`, { mode: "full", tools: [], ...agent });
  expect([written.status, written.body.detail]).toEqual([201, undefined]);
  const about = { id: name, user_id: `user-of-${name}`, agent_id: name, metadata };
  expect((await server.post("/api/conversations", about)).status).toBe(201);
}

async function begin(name: string, content: string): Promise<string> {
  const { status, body } = await server.post(`/api/conversations/${name}/messages`, { content });
  expect([status, body.detail]).toEqual([202, undefined]);
  return body.run_id;
}

/** Sends a message and waits for the run's end; returns the run, and the model's request. */
async function say(name: string, content: string): Promise<{ run_id: string; request: JsonObject }> {
  const run_id = await begin(name, content);
  await until(server, { conversation_id: name, run_id }, ENDS);
  return { run_id, request: lastOf(model.requests) };
}

function lastOf(requests: readonly Received[]): JsonObject {
  const request = requests.at(-1);
  if (!request) throw new Error("The model was not asked");
  return request.body;
}

/** Messages in the input, without data. */
function wordsIn({ input }: JsonObject): string[] {
  const items = Array.isArray(input) ? input.filter(isJsonObject) : [];
  const contents = items.map(({ content }) => withoutTimeLine(String(content)));
  return contents.filter((content) => !content.startsWith('{"type":"data"'));
}

/** The agent's own part of the instructions, which the tests end with a marker line. */
function told({ instructions }: JsonObject): string {
  return String(instructions).split("\n=== end ===")[0] ?? "";
}

const eventsOf = async (name: string, type: string) =>
  (await server.get(`/api/conversations/${name}/events?type=${type}`)).body.items;
const IN_PROMPT = { history: { source: "prompt" } };

describe("H1: a turn's prompt as sent to the model", () => {
  const instructions = [
    "user {{userId}}, household {{householdId}}, zone {{timezone}}, now {{currentTime}}",
    "order {{state.order.id|none}}, goals {{memory.goals}}",
    "{{messageHistory}}",
    "=== end ===",
  ].join("\n");
  const definition = { instructions, locale: "ru", ...IN_PROMPT };

  it("H1, H2, H3, H4: has the history before the answered message, which is sent alone", async () => {
    await meet("filled", definition, { timezone: ZONE, household_id: "house-7" });
    const first = await say("filled", "Hello {{userId}} $& $1");
    const [facts, goals, ...history] = told(first.request).split("\n");
    expect(facts).toMatch(/^user user-of-filled, household house-7, zone Asia\/Kathmandu, now \d{4}-.*Z$/);
    expect([goals, history]).toEqual(["order none, goals []", ["История диалога пуста"]]);
    expect(wordsIn(first.request)).toEqual(["Hello {{userId}} $& $1"]);

    const second = await say("filled", "And now?");
    const [, , ...lines] = told(second.request).split("\n");
    const { items } = (await server.get("/api/conversations/filled/messages")).body;
    const clock = new Intl.DateTimeFormat("ru", { timeZone: ZONE, hour: "2-digit", minute: "2-digit" });
    const [hello, answer] = items.map(({ created_at }: { created_at: string }) => clock.format(new Date(created_at)));
    expect(lines).toEqual([
      `[${hello}] Пользователь: Hello {{userId}} $& $1`,
      `[${answer}] Ассистент: ${items[1].content}`,
    ]);
    expect(wordsIn(second.request)).toEqual(["And now?"]);
  });

  it("H6: is in the log verbatim, with its parts, messages and token budget", async () => {
    const { request } = await say("filled", "Once more");
    const [rendered, ...none] = (await eventsOf("filled", "prompt.rendered")).slice(-1);
    expect(none).toEqual([]);
    const { prompt, parts, budget, history, replaced, missing, tokens } = rendered.payload;
    expect(prompt).toBe(request.instructions);
    expect(tokens).toBe(Math.ceil(Array.from(prompt).length / 4));
    expect(missing).toEqual(["state.order.id"]);
    expect(replaced).toEqual(["userId", "householdId", "timezone", "currentTime", "memory.goals", "messageHistory"]);
    const { items } = (await server.get("/api/conversations/filled/messages")).body;
    const part = parts.find(({ origin }: { origin: string }) => origin === "history");
    expect(part.messages.map(({ id }: { id: string }) => id)).toEqual(
      items.slice(0, 4).map(({ id }: { id: string }) => id),
    );
    for (const [place, { start, end }] of part.messages.entries())
      expect(prompt.slice(start, end)).toContain(items[place].content);
    expect(history).toMatchObject({ source: "prompt", total: 4, shown: 4, truncated: false });
    expect(budget.left).toBe(4_000 - history.final_tokens);
    expect(budget.system + budget.history + budget.state).toBeGreaterThanOrEqual(tokens);
    const [requested] = (await eventsOf("filled", "model.requested")).slice(-1);
    expect([requested.caused_by, requested.payload.input.instructions]).toEqual([rendered.id, undefined]);
    const [lacking] = (await eventsOf("filled", "placeholder.missing")).slice(-1);
    expect(lacking).toMatchObject({ caused_by: rendered.id, payload: { names: ["state.order.id"], iteration: 1 } });
  });

  it("H1: a user without a zone has the agent's; missing data is empty, and reported", async () => {
    const place = { instructions: "<{{timezone}}|{{householdId}}>\n=== end ===", timezone: "Europe/Moscow" };
    await meet("placed", place, { timezone: 5, household_id: "" });
    const { request } = await say("placed", "hello");
    expect(told(request)).toBe("<Europe/Moscow|>");
    expect((await eventsOf("placed", "placeholder.missing"))[0].payload.names).toEqual(["householdId"]);
  });
});

describe("H4: the history is sent once, within its limits", () => {
  const LINES = Array.from({ length: 40 }, (_, n) => `line ${n} ${"word ".repeat(12)}`);
  const recordLines = (name: string) =>
    server.post(
      "/api/messages",
      LINES.map((content, n) => ({
        ...{ id: `${name}-${n}`, conversation_id: name, content, role: n % 2 ? "assistant" : "user" },
        created_at: new Date(Date.UTC(2026, 2, 1, 12, n)).toISOString(),
      })),
    );
  const shownIn = (text: string) => LINES.filter((_, n) => new RegExp(`line ${n} `).test(text)).length;

  it("H4, H6: in the prompt, cut, and the log has what was left out", async () => {
    await meet("cut", {
      instructions: "{{messageHistory}}\n=== end ===",
      history: { source: "prompt", max_tokens: 128 },
    });
    expect((await recordLines("cut")).status).toBe(201);
    const { request } = await say("cut", "and now?");
    const text = told(request);
    expect(Array.from(text).length).toBeLessThanOrEqual(512);
    expect(text).toContain("line 39 ");
    expect(text.split("\n")[0]).toMatch(/^\(Messages left out: \d+\)$/);
    expect(wordsIn(request)).toEqual(["and now?"]);
    const [rendered] = await eventsOf("cut", "prompt.rendered");
    const [cut] = await eventsOf("cut", "history.truncated");
    expect(cut).toMatchObject({ caused_by: rendered.id, payload: { iteration: 1, before: { messages: 40 } } });
    expect(cut.payload.after.messages).toBe(shownIn(text));
    expect(cut.payload.left_out).toHaveLength(40 - shownIn(text));
    expect(cut.payload.limits).toEqual({ max_tokens: 128, max_messages: 200 });
  });

  it("in the input, cut likewise, and not in the prompt", async () => {
    await meet("items", { instructions: "Help.\n=== end ===", history: { max_messages: 5 } });
    expect((await recordLines("items")).status).toBe(201);
    const { request } = await say("items", "and now?");
    const words = wordsIn(request);
    expect(words).toHaveLength(6);
    expect(words[0]).toBe("(Messages left out: 36)");
    expect(words.at(-1)).toBe("and now?");
    expect(String(request.instructions)).not.toContain("line ");
    const [cut] = await eventsOf("items", "history.truncated");
    expect(cut.payload).toMatchObject({ before: { messages: 41 }, after: { messages: 5 } });
  });
});

describe("P23, H6: a turn that continues", () => {
  const definition = {
    instructions: "at {{currentTime}} for {{householdId}}\n{{messageHistory}}\n=== end ===",
    ...IN_PROMPT,
  };
  const prompts = async (name: string): Promise<string[]> =>
    (await eventsOf(name, "prompt.rendered")).map(({ payload }: { payload: JsonObject }) => payload.prompt);

  it("resumed after a failure of the model, has a new prompt, and both are recorded", async () => {
    await meet("resumed", definition, { household_id: "house-7" });
    model.queue({ status: 401, code: "invalid_api_key", message: `Incorrect API key: ${SECRET}` });
    const { run_id } = await say("resumed", "hello");
    const [failed] = await eventsOf("resumed", "run.failed");
    expect(failed.payload.error.code).toBe("model_failed");
    expect((await server.post(`/api/runs/${run_id}/resume`, {})).status).toBe(202);
    await until(server, { conversation_id: "resumed", run_id }, ENDS, failed.seq);
    const [first, second] = await prompts("resumed");
    expect(second).toBe(lastOf(model.requests).instructions);
    expect(timeIn(second)).toBeGreaterThan(timeIn(first));
    // The run's own messages, such as its failure, are not before the message.
    expect(told(lastOf(model.requests))).toMatch(/for house-7\nThe dialog history is empty$/);
  });

  it("likewise after kill -9, with the user of the run's start", async () => {
    await meet("killed", definition, { household_id: "house-8" });
    const asked = model.requests.length;
    model.queue({ silent: true });
    const run_id = await begin("killed", "hello");
    await until(server, { conversation_id: "killed", run_id }, ["model.requested"]);
    const changed = { ...definition, mode: "full", tools: [], instructions: "Changed.", history: {} };
    expect((await server.send("PUT", "/api/agents/killed", changed)).status).toBe(200);
    while (model.requests.length === asked) await new Promise((resolve) => setImmediate(resolve));
    await server.restart("SIGKILL");
    await until(server, { conversation_id: "killed", run_id }, ENDS);
    const [first, second] = await prompts("killed");
    expect(second).toBe(lastOf(model.requests).instructions);
    expect(timeIn(second)).toBeGreaterThan(timeIn(first));
    expect(told(lastOf(model.requests))).toMatch(/for house-8\nThe dialog history is empty$/);
    expect(model.requests).toHaveLength(asked + 2);
    // The next turn has the changed agent.
    expect(String((await say("killed", "again")).request.instructions)).toMatch(/^Changed\./);
  });

  function timeIn(prompt: string | undefined): number {
    return Date.parse(/^at (\S+)/.exec(prompt ?? "")?.[1] ?? "");
  }
});

describe("H6: the operator's log", () => {
  it("H6: has messages, missing data, cuts and in debug mode whole prompts; and never a secret", async () => {
    const log = await server.log();
    const lines = log.split("\n").filter((line) => line !== "");
    const logged: JsonObject[] = lines.map((line) => JSON.parse(line));
    const of = (name: string, message: string) =>
      logged.filter(({ conversation_id, msg }) => conversation_id === name && msg === message);
    const [, , ready] = of("filled", "Prompt rendered");
    expect(ready).toMatchObject({ messages: 4, shown: 4, iteration: 1, agent_id: "filled" });
    expect(ready?.prompt).toBe((await eventsOf("filled", "prompt.rendered"))[2].payload.prompt);
    const [cut] = of("cut", "History truncated to its limit");
    expect(cut).toMatchObject({ before: { messages: 40 }, after: { messages: expect.any(Number) } });
    const warned = logged.filter(({ level, conversation_id }) => level === 40 && conversation_id === "placed");
    expect(warned.map(({ placeholder }) => placeholder)).toEqual(["householdId"]);
    expect(log).not.toContain(SECRET);
    for (const name of ["filled", "resumed", "killed"]) {
      const { items } = (await server.get(`/api/conversations/${name}/events?limit=1000`)).body;
      expect(JSON.stringify(items)).not.toContain(SECRET);
    }
  });
});
