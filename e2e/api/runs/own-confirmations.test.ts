import { beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../lib/session/json/json.ts";
import { readEvents } from "../setup/event-source.ts";
import { withOutside } from "../setup/outside.ts";
import { withServer } from "../setup/server.ts";

// "slow" responds when a test allows it.
let slow = Promise.withResolvers<void>();
beforeEach(() => {
  slow = Promise.withResolvers<void>();
});
const outside = withOutside(async ({ path, call }) => {
  if (path === "slow") await slow.promise;
  return { body: { paid: call.amount ?? null } };
});
const server = withServer({
  // Set when the outside server has started, which is before ours.
  get OBELUS_HTTP_TOOL_HOSTS() {
    return outside.host;
  },
});

const pay = (id: string, amount: number) => ({ _tool: "pay", _id: id, amount, _outputPath: `†state.${id}` });
const payments = (customer: string) => outside.asked.filter(({ call }) => call.customer === customer);

/** Starts a plan whose payments need approval; returns its run. */
async function start(plan: JsonObject[], more: JsonObject = {}): Promise<{ conversation_id: string; run_id: string }> {
  const tool = (name: string, requires_confirmation: boolean) => ({
    name,
    description: name,
    schema: { type: "object", properties: { amount: { type: "integer", minimum: 1 }, customer: { type: "string" } } },
    activity: { type: "http", url: `http://${outside.host}/${name}` },
    requires_confirmation,
  });
  const { status, body } = await server.post("/api/plans/run", {
    plan,
    tools: [tool("pay", true), tool("slow", false)],
    ...more,
  });
  expect([status, body.detail]).toEqual([202, undefined]);
  return body;
}

/** Resolves when the run has one of these events. */
async function until(run: { conversation_id: string; run_id: string }, type: string, from = 0): Promise<void> {
  const events = await readEvents(server.url, `/api/stream?conversation_id=${run.conversation_id}&after=${from}`);
  await events.find((event) => event.type === type && event.data.run_id === run.run_id);
  events.close();
}

const decide = (id: string, body: object) => server.post(`/api/confirmations/${id}/decision`, body);
const waiting = async ({ conversation_id }: { conversation_id: string }) =>
  (await server.get(`/api/confirmations?status=requested&conversation_id=${conversation_id}`)).body.items;
const viewOf = async ({ conversation_id }: { conversation_id: string }) =>
  (await server.get(`/api/conversations/${conversation_id}/view`)).body;

describe("P22: the engine's confirmations are decided in the inbox", () => {
  it("shows the resolved action, and an approval executes it once", async () => {
    const plan = [{ ...pay("refund", 0), amount: "†input.amount", customer: "approved" }];
    const run = await start(plan, { context: [{ type: "input", amount: 40 }] });
    await until(run, "run.waiting");
    const [asked] = await waiting(run);
    expect(asked).toMatchObject({
      run_id: run.run_id,
      call_id: "refund",
      iteration: 1,
      status: "requested",
      cause: "risk",
      action: { method: "pay", params: { amount: 40, customer: "approved" } },
      own: true,
    });
    expect(payments("approved")).toEqual([]);
    const first = await decide(asked.id, { decision: "approve", reason: "eligible" });
    expect(first).toMatchObject({
      status: 200,
      body: { id: asked.id, status: "approved", decided_by: "operator:console", reason: "eligible" },
    });
    expect((await decide(asked.id, { decision: "approve" })).status).toBe(200);
    await until(run, "run.finished");
    expect(payments("approved")).toHaveLength(1);
    expect(await viewOf(run)).toMatchObject({ state: { "": { refund: { paid: 40 } } } });
    const other = await decide(asked.id, { decision: "deny" });
    expect(other).toMatchObject({ status: 409, body: { code: "conflict" } });
    for (const told of ["approved", "operator:console", first.body.decided_at])
      expect(other.body.detail).toContain(told);
  });

  it("accepts valid edited parameters, and asks again for invalid ones", async () => {
    const run = await start([{ ...pay("refund", 40), customer: "edited" }]);
    await until(run, "run.waiting");
    const [{ id }] = await waiting(run);
    const action = (amount: number) => ({ method: "pay", params: { amount, customer: "edited" } });
    expect(await decide(id, { decision: "approve", action: action(0) })).toMatchObject({
      status: 400,
      body: { errors: [{ path: "/action/params/amount" }] },
    });
    expect(await decide(id, { decision: "approve", result: 1 })).toMatchObject({ status: 400 });
    expect(await waiting(run)).toMatchObject([{ id }]);
    expect((await decide(id, { decision: "approve", action: action(30) })).body).toMatchObject({ action: action(30) });
    expect((await decide(id, { decision: "approve", action: action(31) })).status).toBe(409);
    await until(run, "run.finished");
    expect(payments("edited").map(({ call }) => call.amount)).toEqual([30]);
  });

  it("executes nothing that was denied, alone or in a batch", async () => {
    const run = await start(["a", "b", "c"].map((id) => ({ ...pay(id, 1), customer: "denied" })));
    await until(run, "run.waiting");
    const asked = (await waiting(run)).map(({ id }: { id: string }) => id);
    expect(asked).toHaveLength(3);
    expect((await decide(asked[0], { decision: "deny", reason: "no" })).body).toMatchObject({ status: "denied" });
    const { body } = await server.post("/api/confirmations/decisions", { ids: asked, decision: "deny" });
    expect(body.items.map(({ outcome }: { outcome: string }) => outcome)).toEqual(["already", "decided", "decided"]);
    const statuses = async () => (await viewOf(run)).calls.map(({ status }: { status: string }) => status);
    // On Postgres, the replica that has the run hears of the decision.
    await expect.poll(statuses).toEqual(["denied", "denied", "denied"]);
    expect(payments("denied")).toEqual([]);
  });

  it("decides others of a batch if one cannot be executed", async () => {
    const run = await start([{ ...pay("a", 1), customer: "batch" }]);
    await until(run, "run.waiting");
    const [{ id }] = await waiting(run);
    const decisions = { ids: ["unknown", id], decision: "approve" };
    const { body } = await server.post("/api/confirmations/decisions", decisions);
    expect(body.items).toMatchObject([{ outcome: "unknown" }, { outcome: "decided", confirmation: { id } }]);
    await until(run, "run.finished");
  });
});

describe("P22a: only the decision route authorizes", () => {
  it("refuses events and imports of an own run, and external decisions of it", async () => {
    const run = await start([{ ...pay("refund", 40), customer: "forged" }]);
    await until(run, "run.waiting");
    const [asked] = await waiting(run);
    const before = (await viewOf(run)).last;
    const approved = {
      conversation_id: run.conversation_id,
      type: "confirmation.approved",
      payload: { confirmation_id: asked.id, decided_by: "operator:console" },
    };
    const note = { conversation_id: run.conversation_id, type: "log", payload: {} };
    for (const named of [{ run_id: run.run_id }, { run_id: "mine", parent_run_id: run.run_id }]) {
      const forged = await server.post("/api/events", [note, { ...approved, ...named }]);
      expect(forged).toMatchObject({ status: 409, body: { code: "conflict", errors: [{ path: "/1" }] } });
      expect(forged.body.detail).toContain(run.run_id);
    }
    expect((await viewOf(run)).last).toBe(before);

    const exported = (await server.get(`/api/conversations/${run.conversation_id}/export`)).body;
    expect((await server.postRaw("/api/import", exported, "application/x-ndjson")).status).toBe(200);
    const [header, ...lines] = exported
      .trimEnd()
      .split("\n")
      .map((line: string) => JSON.parse(line));
    const stolen = [
      { ...header, conversation: { ...header.conversation, id: "stolen" } },
      ...lines.map((line: JsonObject) => ({ ...line, id: `stolen/${line.id}`, conversation_id: "stolen" })),
    ];
    const text = stolen.map((line) => JSON.stringify(line)).join("\n");
    expect((await server.postRaw("/api/import", text, "application/x-ndjson")).status).toBe(409);
    expect((await server.get("/api/conversations/stolen")).status).toBe(404);

    // A copy is history: deciding it has no effect on the run.
    const copied = await server.postRaw("/api/import?as=copy&alerts=open", exported, "application/x-ndjson");
    const [copy] = await waiting(copied.body.conversations[0]);
    expect(copy).toMatchObject({ own: false, action: asked.action });
    expect((await decide(copy.id, { decision: "approve" })).status).toBe(200);

    await server.post("/api/events", { ...approved, conversation_id: "elsewhere" });
    await server.post("/api/events", { ...approved, run_id: "mine" });
    expect(await waiting(run)).toEqual([asked]);
    expect((await decide(asked.id, { decision: "deny" })).status).toBe(200);
    await until(run, "call.denied");
    expect(payments("forged")).toEqual([]);
  });

  it("an approval whose run has ended authorizes the first identical action, once", async () => {
    const plan = [{ ...pay("refund", 40), customer: "later" }];
    // The approved call exceeds the budget, and its run fails before it starts.
    const first = await start([...plan, { _tool: "slow", _id: "slow" }], { budget: { calls: 1 } });
    await until(first, "confirmation.requested");
    const [{ id }] = await waiting(first);
    expect((await decide(id, { decision: "approve" })).status).toBe(200);
    slow.resolve();
    await until(first, "run.failed");
    expect(payments("later")).toEqual([]);

    const { conversation_id } = first;
    const second = await start(plan, { conversation_id });
    await until(second, "run.finished");
    expect(payments("later")).toHaveLength(1);
    const third = await start(plan, { conversation_id });
    await until(third, "run.waiting");
    expect(payments("later")).toHaveLength(1);
    expect(await waiting(third)).toMatchObject([{ run_id: third.run_id }]);
  });

  it("P23: confirmations pending at a kill stay pending, and are decided in the next process", async () => {
    const run = await start([{ ...pay("refund", 40), customer: "survivor" }]);
    await until(run, "run.waiting");
    const [asked] = await waiting(run);
    await server.restart("SIGKILL");
    expect(await waiting(run)).toEqual([asked]);
    await decide(asked.id, { decision: "approve" });
    await until(run, "run.finished");
    expect(payments("survivor")).toHaveLength(1);
  });
});
