import { describe, expect, it } from "vitest";
import { deal1842 } from "../../../demo/sessions/deal-1842.ts";
import type { JsonObject } from "../../../lib/session/json/json.ts";
import { ENDS, talkAs, until } from "../setup/crm-talk.ts";
import { withServer } from "../setup/server.ts";

// The bundled demo portal, scripted model, and agent.
const server = withServer();

const at = (id: string, path = "") => `/api/conversations/${id}${path}`;
const read = async (path: string) => (await server.get(path)).body;
const exportOf = async (id: string) => (await fetch(`${server.url}${at(id, "/export")}`)).text();
const lastOf = async (id: string): Promise<number> => (await read(at(id, "/view"))).last;
const waitingIn = async (id: string) =>
  (await read(`/api/confirmations?status=requested&conversation_id=${id}`)).items as { id: string; key: string }[];
const callsOf = async (id: string): Promise<JsonObject[]> => (await read(at(id, "/view"))).calls;
const memoryIn = (forkId: string, user: string) => `/api/agent-state/memory:fork:${forkId}:${user}/memory`;

async function fork(source: string, body: JsonObject): Promise<string> {
  const answer = await server.post(at(source, "/fork"), body);
  expect([answer.status, answer.body.detail]).toEqual([201, undefined]);
  return answer.body.id;
}

/** Sends a message and waits until its turn has ended or is waiting. */
async function say(conversation_id: string, content: string, more: JsonObject = {}): Promise<string> {
  const { status, body } = await server.post(at(conversation_id, "/messages"), { content, ...more });
  expect([status, body.detail]).toEqual([202, undefined]);
  await until(server, { conversation_id, run_id: body.run_id }, [...ENDS, "run.waiting"]);
  return body.run_id;
}

async function run(body: JsonObject): Promise<{ conversation_id: string; run_id: string }> {
  const answer = await server.post("/api/plans/run", body);
  expect([answer.status, answer.body.detail]).toEqual([202, undefined]);
  await until(server, answer.body, ENDS);
  return answer.body;
}

async function amountOf(id: number): Promise<number> {
  const { conversation_id } = await run({
    plan: [{ _tool: "crm.deal.get", _id: "get", id, _outputPath: "†state.deal" }],
  });
  return Number((await read(at(conversation_id, "/view"))).state[""].deal.OPPORTUNITY);
}

describe("E9: a fork is isolated from its source", () => {
  it("nothing done in it changes the source: its bytes, pending confirmations and memory", async () => {
    const talk = await talkAs(server, "anna");
    await talk.turn("Измени сумму сделки 123 на 150000");
    const [asked] = await talk.waiting();
    const last = await lastOf("anna");
    const before = { log: await exportOf("anna"), memory: await talk.memory() };

    const id = await fork("anna", { at: last });
    // The same action with the same key, for the same user.
    await say(id, "Измени сумму сделки 123 на 999", { user_id: "anna" });
    expect(await waitingIn(id)).toEqual([]);
    expect(await callsOf(id)).toContainEqual(
      expect.objectContaining({ tool: "crm.deal.update", status: "skipped", planned: true }),
    );
    expect((await server.get(memoryIn(id, "anna"))).status).toBe(200);
    expect((await server.post(at(id, "/takeover"), {})).status).toBe(200);
    expect((await server.post(at(id, "/handback"), {})).status).toBe(200);
    expect((await server.post(`/api/runs/${id}:run:1/cancel`, {})).status).toBe(404);
    for (const { id: copied } of (await read(at(id, "/view"))).confirmations)
      expect((await server.post(`/api/confirmations/${copied}/decision`, { decision: "approve" })).status).toBe(404);
    const own = await read(`/api/memory/fork:${id}:anna`);
    const changed = { ...own, goals: ["Another"] };
    expect((await server.send("PUT", `/api/memory/fork:${id}:anna`, changed)).status).toBe(200);

    // Executed for real, it has its own approval, and does not use the source's.
    const real = await fork("anna", { at: last, mode: "real" });
    expect(await read(at(real))).toMatchObject({ fork_mode: "real", user_id: "anna" });
    const turn = await say(real, "Измени сумму сделки 123 на 5");
    const [rival] = await waitingIn(real);
    expect(rival).toMatchObject({ key: asked.key });
    expect((await server.post(`/api/confirmations/${rival?.id}/decision`, { decision: "deny" })).status).toBe(200);
    await until(server, { conversation_id: real, run_id: turn }, ENDS);
    const second = await say(real, "Измени сумму сделки 123 на 6");
    expect((await server.post(`/api/runs/${second}/cancel`, {})).status).toBe(202);
    await until(server, { conversation_id: real, run_id: second }, ENDS);

    const erasure = await server.post("/api/erasures", { kind: "conversation", id });
    expect([erasure.status, erasure.body.detail]).toEqual([202, undefined]);
    await expect.poll(async () => (await read(`/api/erasures/${erasure.body.id}`)).phase).toBe("finished");
    expect((await server.get(memoryIn(id, "anna"))).status).toBe(404);

    expect(await exportOf("anna")).toBe(before.log);
    expect(await talk.memory()).toEqual(before.memory);
    expect((await talk.waiting()).map((one: { id: string }) => one.id)).toEqual([asked.id]);
    expect(await amountOf(123)).toBe(85_000);
    await talk.decide(asked.id, { decision: "approve" });
    await talk.ended(asked.run_id);
    expect(await amountOf(123)).toBe(150_000);
  });

  it("its memory starts as of the step, and is separate; an erasure of the user erases it", async () => {
    const remember = (goal: string, conversation_id?: string) =>
      run({
        ...{ plan: [{ _tool: "memory.goals.add", _id: "add", goal }], user_id: "vera" },
        ...(conversation_id !== undefined && { conversation_id }),
      });
    const goalsIn = async (path: string) => (await read(path)).goals;
    const vera = "/api/agent-state/memory:vera/memory";
    const { conversation_id: source } = await remember("First");
    const early = await fork(source, { at: 1 });
    const id = await fork(source, { at: await lastOf(source) });
    await remember("Second");
    const forkOfFork = await fork(id, { at: await lastOf(source) });
    for (const one of [id, forkOfFork, early]) await remember("In the fork", one);
    expect(await goalsIn(vera)).toEqual(["Second", "First"]);
    expect(await goalsIn(memoryIn(id, "vera"))).toEqual(["In the fork", "First"]);
    expect(await goalsIn(memoryIn(forkOfFork, "vera"))).toEqual(["In the fork", "First"]);
    expect(await goalsIn(memoryIn(early, "vera"))).toEqual(["In the fork"]);

    // Nobody can write under a fork's scope.
    const claimed = await server.post("/api/plans/run", { plan: [], user_id: `fork:${id}:vera` });
    expect([claimed.status, claimed.body.errors?.[0]?.path]).toEqual([400, "/user_id"]);

    const erasure = await server.post("/api/erasures", { kind: "user", id: "vera" });
    expect([erasure.status, erasure.body.detail]).toEqual([202, undefined]);
    await expect.poll(async () => (await read(`/api/erasures/${erasure.body.id}`)).phase).toBe("finished");
    for (const one of [id, forkOfFork, early]) expect((await server.get(memoryIn(one, "vera"))).status).toBe(404);
    expect(
      (await read("/api/agent-state?limit=200")).items.map((item: JsonObject) => item.agent_id),
    ).not.toContainEqual(expect.stringContaining("vera"));
  });

  it("its calls become real only by a recorded action on this server", async () => {
    const { conversation_id: source } = await run({ plan: [{ _tool: "crm.deal.get", _id: "get", id: 125 }] });
    const id = await fork(source, { at: await lastOf(source) });
    expect((await read(at(id))).fork_mode).toBe("shadow");
    const claims = [
      { conversation_id: id, type: "fork.mode_changed", payload: { mode: "real" } },
      {
        conversation_id: source,
        type: "conversation.created",
        payload: { forked_from: { conversation_id: id, seq: 1 } },
      },
    ];
    for (const claim of claims) expect((await server.post("/api/events", claim)).status).toBe(409);
    expect((await read(at(source))).fork_mode).toBeNull();
    expect((await server.post(at(source, "/fork/mode"), { mode: "real" })).status).toBe(409);
    expect((await server.post(at("nobody", "/fork/mode"), { mode: "real" })).status).toBe(404);

    for (const mode of ["real", "real"]) {
      const { status, body } = await server.post(at(id, "/fork/mode"), { mode });
      expect([status, body.fork_mode]).toEqual([200, "real"]);
    }
    const events = (await read(at(id, "/events?type=fork.mode_changed"))).items;
    expect(events).toMatchObject([{ actor: "operator:console", payload: { mode: "real" } }]);

    // Neither a fork of it nor a copy is real.
    expect((await read(at(await fork(id, { at: await lastOf(id) })))).fork_mode).toBe("shadow");
    const copied = await server.postRaw("/api/import?as=copy", await exportOf(id), "application/x-ndjson");
    expect(copied.status).toBe(201);
    expect((await read(at(copied.body.conversations[0].conversation_id))).fork_mode).toBe("shadow");
  });
});

describe("E9: a fork of an external agent returns recorded results", () => {
  it("for the same call with the same parameters; any other fails", async () => {
    const plan = [
      { _tool: "shop.order", _id: "order", number: 7, _outputPath: "†state.order" },
      { _tool: "shop.refund", _id: "refund", order: "†state.order", _outputPath: "†state.refund" },
    ];
    const order = { sum: 20 };
    const told = [
      { type: "run.started", payload: {} },
      { type: "plan.proposed", payload: { iteration: 1, calls: plan } },
      { type: "call.started", payload: { call_id: "order", tool: "shop.order", params: { number: 7 } } },
      { type: "call.succeeded", payload: { call_id: "order", tool: "shop.order", output: order } },
      { type: "state.written", payload: { path: "†state.order", value: order, call_id: "order" } },
      { type: "call.started", payload: { call_id: "refund", tool: "shop.refund", params: { order } } },
      { type: "call.succeeded", payload: { call_id: "refund", tool: "shop.refund", output: { paid: true } } },
    ];
    const events = told.map((event) => ({ ...event, conversation_id: "shop", run_id: "shop-run" }));
    expect((await server.post("/api/events", events)).status).toBe(201);
    const runFork = async (id: string, body: JsonObject = {}) => {
      const answer = await server.post(at(id, "/fork/run"), body);
      if (answer.status === 202) await until(server, answer.body, ENDS);
      return answer;
    };

    const unknown = [
      { name: "shop.order", recorded: 1 },
      { name: "shop.refund", recorded: 1 },
    ];
    expect(await read(at("shop", "/fork?at=2"))).toEqual({ left: 2, unknown_tools: unknown });
    expect((await read(at("shop", "/fork?at=5"))).unknown_tools).toEqual(unknown.slice(1));
    expect((await server.get(at("shop", "/fork?at=99"))).status).toBe(400);

    const same = await fork("shop", { at: 2 });
    expect(await runFork(same)).toMatchObject({ status: 202, body: { mode: "shadow" } });
    expect((await read(at(same, "/view"))).state).toEqual({ "": { order, refund: { paid: true } } });
    const recorded = (await callsOf(same)).filter((call) => call.recorded);
    expect(recorded).toMatchObject([
      { id: "order", status: "succeeded", recorded: { conversation_id: "shop", seq: 4 } },
      { id: "refund", status: "succeeded", recorded: { conversation_id: "shop", seq: 7 } },
    ]);

    const other = await fork("shop", { at: 5, edits: [{ path: "†state.order.sum", value: 30 }] });
    await runFork(other);
    expect(await callsOf(other)).toContainEqual(
      expect.objectContaining({
        ...{ id: "refund", status: "blocked", recorded: null },
        reason: "This server cannot carry out shop.refund, and no result was recorded for these parameters",
      }),
    );

    // Without an activity it cannot be executed, and nothing starts.
    const real = await fork("shop", { at: 2 });
    expect((await runFork(real, { mode: "execute" })).status).toBe(422);
    expect((await read(at(real))).fork_mode).toBe("shadow");
  });

  it("also for calls without plans: their tools are named before", async () => {
    const call = { call_id: "order", tool: "shop.order", params: { number: 7 } };
    const told = [
      { type: "run.started", payload: {} },
      { type: "call.started", payload: call },
      { type: "call.succeeded", payload: { ...call, output: { sum: 20 } } },
    ];
    const events = told.map((event) => ({ ...event, conversation_id: "calls", run_id: "calls-run" }));
    expect((await server.post("/api/events", events)).status).toBe(201);
    const unknown_tools = [{ name: "shop.order", recorded: 1 }];
    expect(await read(at("calls", "/fork?at=2"))).toEqual({ left: 1, unknown_tools });
    // Completed calls are not repeated, and a fork has nothing to run then.
    expect(await read(at("calls", "/fork?at=3"))).toEqual({ left: 0, unknown_tools: [] });
    expect((await server.post(at(await fork("calls", { at: 3 }), "/fork/run"), {})).status).toBe(409);

    const id = await fork("calls", { at: 2 });
    const answer = await server.post(at(id, "/fork/run"), {});
    expect([answer.status, answer.body.detail]).toEqual([202, undefined]);
    await until(server, answer.body, ENDS);
    const recorded = { conversation_id: "calls", seq: 3 };
    expect((await callsOf(id)).at(-1)).toMatchObject({ tool: "shop.order", status: "succeeded", recorded });
  });

  it("continues the pending plan, even after later answers", async () => {
    // The server sets the time of recording.
    const events = deal1842(new Date(), "en").events.map(({ recorded_at: _told, ...event }) => event);
    const posted = await server.post("/api/events", events);
    expect([posted.status, posted.body.detail]).toEqual([201, undefined]);
    const last = await lastOf("demo-deal-1842");
    const unknown_tools = [{ name: "notifyManager", recorded: 0 }];
    expect(await read(at("demo-deal-1842", `/fork?at=${last}`))).toEqual({ left: 2, unknown_tools });
    const id = await fork("demo-deal-1842", { at: last });
    const answer = await server.post(at(id, "/fork/run"), {});
    expect([answer.status, answer.body.detail]).toEqual([202, undefined]);
    await until(server, answer.body, ENDS);
    const own = (await callsOf(id)).filter(({ run_id }) => run_id === answer.body.run_id);
    expect(own.filter((call) => call.id === "update")).toMatchObject(
      ["①", "②"].map((instance) => ({ instance, status: "skipped", planned: true })),
    );
  });
});
