import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ResponsesServer, startResponsesServer } from "../../../lib/model/testing/responses-server.ts";
import { withoutTimeLine } from "../../../lib/prompt/time-line.ts";
import { isJsonObject, type JsonObject } from "../../../lib/session/json/json.ts";
import { readEvents } from "../setup/event-source.ts";
import { withOutside } from "../setup/outside.ts";
import { temporaryDirectory, withServer } from "../setup/server.ts";

const USERS = 8;
const TURNS = 8;

/** The running slow calls by user, the maximum of each, and of users at the same time. */
const running = new Map<string, number>();
let most = 0;
let mostUsers = 0;
const outside = withOutside(async ({ call }) => {
  const user = String(call.name).split("-")[0] ?? "";
  running.set(user, (running.get(user) ?? 0) + 1);
  most = Math.max(most, running.get(user) ?? 0);
  mostUsers = Math.max(mostUsers, [...running.values()].filter((count) => count > 0).length);
  await held;
  running.set(user, (running.get(user) ?? 0) - 1);
  return { body: { name: call.name } };
});
/** Slow calls are running until this is settled. */
let held: Promise<void> = Promise.resolve();

let model: ResponsesServer;
let agentsDir: string;
beforeAll(async () => {
  agentsDir = await temporaryDirectory();
  await mkdir(agentsDir, { recursive: true });
  const agent = { instructions: "Work.", mode: "full", default: true };
  await writeFile(join(agentsDir, "worker.json"), JSON.stringify(agent));
  model = await startResponsesServer(answerTurn);
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

/** Stores the user's message as a goal, calls a slow tool, then answers with the earlier messages. */
function answerTurn({ input }: JsonObject) {
  const items = Array.isArray(input) ? input.filter(isJsonObject) : [];
  const said = items.filter(({ role, content }) => role === "user" && !String(content).startsWith("{"));
  const newest = said.at(-1);
  const name = withoutTimeLine(String(newest?.content ?? ""));
  if (newest && items.slice(items.indexOf(newest)).some(({ type }) => type === "function_call_output"))
    return { items: [{ text: `done ${name} after ${said.length - 1}` }] };
  const call = (tool: string, params: JsonObject) => ({
    call_id: `${tool}-${name}`,
    name: tool,
    arguments: JSON.stringify(params),
  });
  return { items: [call("memory_goals_add", { goal: name }), call("slow", { name })] };
}

const say = (user: string, content: string, more: JsonObject = {}) =>
  server.post(`/api/conversations/${user}/messages`, { content, ...more });
const messagesOf = async (user: string): Promise<{ role: string; content: string }[]> =>
  (await server.get(`/api/conversations/${user}/messages?limit=200`)).body.items;
const goalsOf = async (user: string) => (await server.get(`/api/agent-state/memory:${user}/memory`)).body.goals;

async function meet(user: string): Promise<void> {
  expect((await server.post("/api/conversations", { id: user, user_id: user, channel: "api" })).status).toBe(201);
}

/** Resolves when this many runs of a conversation have ended. */
async function ended(user: string, count: number): Promise<void> {
  const events = await readEvents(server.url, `/api/stream?conversation_id=${user}&after=0`);
  const seen = new Set<string>();
  await events.find(({ type, data }) => {
    if (type === "run.finished" || type === "run.failed") seen.add(data.run_id);
    return seen.size >= count;
  });
  events.close();
}

describe("M11: turns over HTTP", () => {
  beforeAll(async () => {
    const registered = await server.post("/api/tools", {
      name: "slow",
      description: "Takes its time",
      schema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      activity: { type: "http", url: `http://${outside.host}/slow` },
    });
    expect(registered.status).toBe(201);
  });

  it(`${USERS} users with ${TURNS} interleaved turns each: no update is lost, each one's order is kept, nobody waits for another`, async () => {
    const users = Array.from({ length: USERS }, (_, n) => `user${n}`);
    await Promise.all(users.map(meet));
    // No slow call ends before each user's first one is running.
    const gate = Promise.withResolvers<void>();
    held = gate.promise;
    for (let turn = 0; turn < TURNS; turn++) {
      const answers = await Promise.all(users.map((user) => say(user, `${user}-${turn}`)));
      expect(answers.map(({ status }) => status)).toEqual(users.map(() => 202));
    }
    while (outside.asked.length < USERS) await outside.next();
    expect(mostUsers).toBe(USERS);
    const [view, versions, begun] = await Promise.all([
      server.get("/api/conversations/user3/view"),
      server.get("/api/agents/worker/versions"),
      server.get("/api/conversations/user3/events?type=run.started&limit=1"),
    ]);
    expect(begun.body.items[0].payload.agent_version).toBe(versions.body.current);
    expect(view.body.runs.map(({ status }: { status: string }) => status).sort()).toEqual([
      ...Array.from({ length: TURNS - 1 }, () => "queued"),
      "running",
    ]);
    gate.resolve();
    await Promise.all(users.map((user) => ended(user, TURNS)));
    expect(most).toBe(1);
    for (const user of users) {
      const turns = Array.from({ length: TURNS }, (_, turn) => `${user}-${turn}`);
      expect(await goalsOf(user)).toEqual(turns.toReversed());
      const own = outside.asked.filter(({ call }) => String(call.name).startsWith(`${user}-`));
      expect(own.map(({ call }) => call.name)).toEqual(turns);
      const answers = (await messagesOf(user)).filter(({ role }) => role === "assistant");
      // Each turn has the messages before it, and no later ones.
      expect(answers.map(({ content }) => content)).toEqual(turns.map((name, turn) => `done ${name} after ${turn}`));
    }
  }, 180_000);

  it("a repeated message is recorded once", async () => {
    await meet("again");
    const [first, second] = await Promise.all([
      say("again", "once", { message_id: "same" }),
      say("again", "once", { message_id: "same" }),
    ]);
    const third = await say("again", "once", { message_id: "same" });
    expect([second.body, third.body]).toEqual([first.body, first.body]);
    await ended("again", 1);
    expect(await messagesOf("again")).toHaveLength(2);
    await meet("elsewhere");
    expect((await say("elsewhere", "once", { message_id: "same" })).status).toBe(409);
    // Not as a turn, too: then no run has it, and the log refuses it.
    await meet("told");
    const told = { message_id: "told", role: "user", content: "told" };
    const recorded = { id: "told", conversation_id: "told", type: "message.created", payload: told };
    expect((await server.post("/api/events", recorded)).status).toBe(201);
    expect((await say("elsewhere", "once", { message_id: "told" })).status).toBe(409);
    // Also concurrently: one of the two is accepted, the other refused.
    await meet("aside");
    const both = await Promise.all(["elsewhere", "aside"].map((user) => say(user, "once", { message_id: "both" })));
    expect(both.map(({ status }) => status).sort()).toEqual([202, 409]);
  });

  it("turns survive kill -9: queued ones are answered by the next process, each once and in order", async () => {
    await meet("killed");
    const gate = Promise.withResolvers<void>();
    held = gate.promise;
    for (const n of [1, 2, 3]) expect((await say("killed", `killed-${n}`)).status).toBe(202);
    while (!outside.asked.some(({ call }) => call.name === "killed-1")) await outside.next();
    await server.restart("SIGKILL");
    gate.resolve();
    held = Promise.resolve();
    // The interrupted call may have been executed: a person decides.
    const waiting = async () =>
      (await server.get("/api/confirmations?status=requested&conversation_id=killed")).body.items;
    while ((await waiting()).length === 0) await readUntil("killed", "confirmation.requested");
    const [asked] = await waiting();
    expect(asked.cause).toBe("interrupted");
    const decided = await server.post(`/api/confirmations/${asked.id}/decision`, {
      decision: "approve",
      result: { name: "killed-1" },
    });
    expect(decided.status).toBe(200);
    await ended("killed", 3);
    const said = (await messagesOf("killed")).filter(({ content }) => content.startsWith("done"));
    expect(said.map(({ content }) => content.split(" after")[0]).sort()).toEqual(
      [1, 2, 3].map((n) => `done killed-${n}`),
    );
    expect(outside.asked.filter(({ call }) => String(call.name).startsWith("killed-"))).toHaveLength(3);
    expect((await goalsOf("killed")).toSorted()).toEqual(["killed-1", "killed-2", "killed-3"]);
  });
});

async function readUntil(user: string, type: string): Promise<void> {
  const events = await readEvents(server.url, `/api/stream?conversation_id=${user}&after=0`);
  await events.find((event) => event.type === type);
  events.close();
}
