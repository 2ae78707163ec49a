import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ResponsesServer, startResponsesServer } from "../../../lib/model/testing/responses-server.ts";
import { withoutTimeLine } from "../../../lib/prompt/time-line.ts";
import { isJsonObject, type JsonObject } from "../../../lib/session/json/json.ts";
import { readEvents, type StreamedEvent } from "../setup/event-source.ts";
import { withOutside } from "../setup/outside.ts";
import { temporaryDirectory, withoutTotals, withServer } from "../setup/server.ts";

/** Calls of `slow` are running until this is settled. */
let held: Promise<void> = Promise.resolve();
const outside = withOutside(async () => {
  await held;
  return { body: { done: true } };
});

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

/** Calls the tool that the user names, then repeats all messages. */
function answerTurn({ input }: JsonObject) {
  const items = Array.isArray(input) ? input.filter(isJsonObject) : [];
  const said = items.filter(({ role, content }) => role !== undefined && !String(content).startsWith("{"));
  const newest = said.findLast(({ role }) => role === "user") ?? {};
  const last = withoutTimeLine(String(newest.content ?? ""));
  const isDone = items.slice(items.indexOf(newest)).some(({ type }) => type === "function_call_output");
  if (!isDone && (last === "slow" || last === "risky"))
    return { items: [{ call_id: `call-${last}`, name: last, arguments: "{}" }] };
  return { items: [{ text: `after ${said.map(({ content }) => withoutTimeLine(String(content))).join(" | ")}` }] };
}

let count = 0;
let id = "";
beforeEach(async () => {
  held = Promise.resolve();
  id = `c${count++}`;
  await meet(id);
});
beforeAll(async () => {
  for (const name of ["slow", "risky"]) {
    const registered = await server.post("/api/tools", {
      ...{ name, description: `Is ${name}`, schema: { type: "object", properties: {} } },
      activity: { type: "http", url: `http://${outside.host}/${name}` },
      requires_confirmation: name === "risky",
    });
    expect(registered.status).toBe(201);
  }
});

const meet = async (conversation: string, user = conversation) =>
  expect((await server.post("/api/conversations", { id: conversation, user_id: user })).status).toBe(201);
const hand = (way: "takeover" | "handback", body?: object, conversation = id) =>
  server.send("POST", `/api/conversations/${conversation}/${way}`, body);
const say = (content: string, more: object = {}, conversation = id) =>
  server.post(`/api/conversations/${conversation}/messages`, { content, ...more });
const messagesOf = async (conversation = id): Promise<{ role: string; content: string }[]> =>
  (await server.get(`/api/conversations/${conversation}/messages?limit=200`)).body.items;
const eventsOf = async (conversation = id): Promise<StreamedEvent["data"][]> =>
  (await server.get(`/api/conversations/${conversation}/events?limit=1000`)).body.items;
const said = async (role: string) => (await messagesOf()).filter((message) => message.role === role);

/** Waits for an event of a conversation. */
async function happened(fits: (event: StreamedEvent) => boolean, conversation = id): Promise<void> {
  const events = await readEvents(server.url, `/api/stream?conversation_id=${conversation}&after=0`);
  await events.find(fits);
  events.close();
}
const type = (name: string) => (event: StreamedEvent) => event.type === name;

/** Agents' messages during a takeover, and turns started in it, from the log. */
function spokenWhileTaken(events: readonly StreamedEvent["data"][]): string[] {
  let taken = false;
  return events.flatMap(({ seq, type, payload }) => {
    if (type === "conversation.taken_over") taken = true;
    if (type === "conversation.handed_back") taken = false;
    const speaks = type === "message.created" && payload.role === "assistant";
    return taken && (speaks || type === "run.started") ? [`${seq} ${type}`] : [];
  });
}

describe("D11: managers take a conversation over", () => {
  it("shows the manager, is silent meanwhile, and answers again from the next message, with all messages", async () => {
    const taken = await hand("takeover", { reason: "She is angry" });
    expect(taken.status).toBe(200);
    expect(taken.body).toMatchObject({ id, status: "escalated", taken_over: { by: "operator:console", seq: 2 } });
    expect(withoutTotals((await hand("takeover")).body)).toEqual(withoutTotals(taken.body));
    expect((await say("Is anybody there?")).body).toMatchObject({ run_id: null });
    expect((await say("I am", { role: "operator" })).body).toMatchObject({ run_id: null });
    const back = await hand("handback", {});
    expect(back.body).toMatchObject({ status: "idle", taken_over: null });
    expect(withoutTotals((await hand("handback")).body)).toEqual(withoutTotals(back.body));
    const { body } = await say("And now?");
    expect(body.run_id).toEqual(expect.any(String));
    await happened(type("run.finished"));
    expect((await messagesOf()).map(({ role }) => role)).toEqual(["user", "operator", "user", "assistant"]);
    expect((await said("assistant"))[0]?.content).toMatch(/^after .*Is anybody there\? .*I am .*And now\?$/);
    const hands = (await eventsOf()).filter((event) => /over|back$/.test(event.type));
    expect(hands.map((event) => [event.type, event.actor, event.payload])).toEqual([
      ["conversation.taken_over", "operator:console", { reason: "She is angry" }],
      ["conversation.handed_back", "operator:console", {}],
    ]);
  });

  it("refuses invalid requests", async () => {
    for (const way of ["takeover", "handback"] as const) {
      expect((await hand(way, {}, "nobody")).status).toBe(404);
      expect((await hand(way, { why: "x" })).body).toMatchObject({ code: "invalid_input", errors: [{ path: "/why" }] });
      expect((await server.postRaw(`/api/conversations/${id}/${way}`, "x=1", "text/plain")).status).toBe(415);
    }
    expect(await eventsOf()).toHaveLength(1);
  });

  it("cancels an active turn and queued ones by name, and their calls are not repeated", async () => {
    const gate = Promise.withResolvers<void>();
    held = gate.promise;
    const asked = outside.next();
    await say("slow");
    await say("later");
    await asked;
    expect((await hand("takeover")).body.status).toBe("escalated");
    const cancelled = (await eventsOf()).filter((event) => event.type === "run.cancelled");
    expect(cancelled.map((event) => [event.actor, event.payload.reason])).toEqual([
      ["operator:console", "Taken over by operator:console"],
      ["operator:console", "Taken over by operator:console"],
    ]);
    gate.resolve();
    await hand("handback");
    await say("again");
    await happened(type("run.finished"));
    expect(await said("assistant")).toHaveLength(1);
  });

  it("denies a turn's confirmations, by the system", async () => {
    await say("risky");
    await happened(type("run.waiting"));
    await hand("takeover");
    const { items } = (await server.get(`/api/confirmations?conversation_id=${id}`)).body;
    expect(items).toMatchObject([{ status: "denied", decided_by: "system", reason: "Taken over by operator:console" }]);
    expect((await server.post(`/api/confirmations/${items[0].id}/decision`, { decision: "approve" })).status).toBe(409);
    expect(outside.asked.filter(({ path }) => path === "risky")).toEqual([]);
  });

  it("two managers at once: one event, and the same result", async () => {
    const answers = await Promise.all([hand("takeover"), hand("takeover"), hand("takeover")]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect((await eventsOf()).map((event) => event.type)).toEqual(["conversation.created", "conversation.taken_over"]);
  });

  it("while turns start and answer, no message follows it", async () => {
    const conversations = Array.from({ length: 24 }, (_, n) => `${id}-${n}`);
    await Promise.all(conversations.map((one) => meet(one)));
    await Promise.all(
      conversations.map(async (one, n) => {
        const steps = [
          () => say("hello", {}, one),
          () => say("slow", {}, one),
          () => say("risky", {}, one),
          () => hand("takeover", undefined, one),
        ];
        // At different times and points of a turn.
        steps.splice(n % 4, 0, ...steps.splice(3, 1));
        const answers = await Promise.all(
          steps.map(async (step, at) => {
            for (let turns = 0; turns < at * (n >> 2); turns++) await new Promise((resolve) => setImmediate(resolve));
            return step();
          }),
        );
        expect(answers.every(({ status }) => status === 200 || status === 202)).toBe(true);
        expect((await say("still there?", {}, one)).body.run_id).toBeNull();
      }),
    );
    for (const one of conversations) {
      expect((await server.get(`/api/conversations/${one}`)).body.status).toBe("escalated");
      const { runs } = (await server.get(`/api/conversations/${one}/view`)).body;
      expect(runs.filter(({ status }: { status: string }) => !["finished", "cancelled"].includes(status))).toEqual([]);
      expect(spokenWhileTaken(await eventsOf(one))).toEqual([]);
      expect((await messagesOf(one)).filter(({ role }) => role === "user")).toHaveLength(4);
    }
  });

  it("recorded by an external platform, it counts the same: a turn ends where it would answer", async () => {
    const gate = Promise.withResolvers<void>();
    held = gate.promise;
    const asked = outside.next();
    await say("slow");
    await asked;
    const event = { conversation_id: id, type: "conversation.taken_over", payload: { by: "M. Orlova" } };
    expect((await server.post("/api/events", event)).status).toBe(201);
    gate.resolve();
    await happened(({ type }) => type === "run.finished" || type === "run.cancelled");
    expect(await said("assistant")).toEqual([]);
    expect((await say("hello")).body.run_id).toBeNull();
    expect(spokenWhileTaken(await eventsOf())).toEqual([]);
  });

  it("P23: after kill -9 the agent stays silent, also for queued turns", async () => {
    held = new Promise(() => undefined);
    const asked = outside.next();
    const elsewhere = `${id}-elsewhere`;
    await meet(elsewhere, id);
    await say("slow", {}, elsewhere);
    await asked;
    // Queued behind the other conversation's, as all turns of a user are.
    for (const n of [1, 2, 3]) await say(`later ${n}`);
    // As after an interruption: the event is stored, and the turns are open.
    await server.post("/api/events", { conversation_id: id, type: "conversation.taken_over", actor: "operator:anna" });
    await server.restart("SIGKILL");
    const statuses = async () =>
      (await server.get(`/api/conversations/${id}/view`)).body.runs.map(({ status }: { status: string }) => status);
    await expect.poll(statuses).toEqual(["cancelled", "cancelled", "cancelled"]);
    expect((await say("hello")).body.run_id).toBeNull();
    expect(spokenWhileTaken(await eventsOf())).toEqual([]);
    await server.restart("SIGKILL");
    expect((await server.get(`/api/conversations/${id}`)).body.taken_over).toMatchObject({ by: "operator:anna" });
    expect(await said("assistant")).toEqual([]);
  });
});
