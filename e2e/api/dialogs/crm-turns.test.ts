import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../lib/session/json/json.ts";
import { ENDS, talkAs, until } from "../setup/crm-talk.ts";
import { withServer } from "../setup/server.ts";

// The bundled demo portal, scripted model, and agent.
const server = withServer();

/** A deal in the portal, read by a plan. */
async function dealOf(id: number): Promise<JsonObject> {
  const plan = [{ _tool: "crm.deal.get", _id: "get", id, _outputPath: "†state.deal" }];
  const { status, body } = await server.post("/api/plans/run", { plan });
  expect([status, body.detail]).toEqual([202, undefined]);
  await until(server, body, ENDS);
  return (await server.get(`/api/conversations/${body.conversation_id}/view`)).body.state[""].deal;
}

const amountOf = async (id: number) => Number((await dealOf(id)).OPPORTUNITY);

/** Changes the bundled agent, as an operator does. */
async function setMode(mode: "shadow" | "canary" | "full"): Promise<void> {
  const { headers, body } = await server.get("/api/agents/crm");
  const { id: _, version: __, source: ___, ...definition } = body;
  const ifMatch = { "if-match": headers.get("etag") ?? "" };
  const written = await server.send("PUT", "/api/agents/crm", { ...definition, mode }, ifMatch);
  expect([written.status, written.body.mode]).toEqual([200, mode]);
}

describe("M5, M6, M9: a change that needs approval", () => {
  it("waits with the old value; approved, it is executed, in memory, and answered", async () => {
    const talk = await talkAs(server, "anna");
    const run = await talk.turn("Измени сумму сделки 123 на 150000");
    const [asked] = await talk.waiting();
    expect(asked).toMatchObject({
      ...{ run_id: run, key: "deal_123_opportunity", cause: "risk", own: true },
      description: expect.stringMatching(/сумму сделки 123 до 150.?000/),
      action: { method: "crm.deal.update", params: { id: 123, fields: { OPPORTUNITY: 150000 } } },
      before: { OPPORTUNITY: expect.stringMatching(/^85000/) },
    });
    expect(await amountOf(123)).toBe(85_000);
    const told = (await talk.messages()).at(-1);
    expect(told?.content).toContain(asked.description);
    expect(told?.metadata?.awaits).toEqual([asked.id]);
    expect(await talk.memory()).toMatchObject({
      confirmations: { deal_123_opportunity: { status: "requested" } },
      in_progress: [{ description: asked.description }],
      objects: { current_deal_id: 123 },
      goals: [expect.stringContaining("123")],
    });

    expect((await talk.decide(asked.id, { decision: "approve" })).status).toBe(200);
    await talk.ended(run);
    expect(await amountOf(123)).toBe(150_000);
    expect((await talk.answers()).at(-1)).toMatch(/теперь \*\*150.000.₽\*\*\. Была 85.000.₽/);
    const memory = await talk.memory();
    expect(memory).toMatchObject({
      confirmations: { deal_123_opportunity: { status: "approved", action: { confirmed: true } } },
      ...{ in_progress: [], next_planned_actions: [], goals: [] },
      objects: { current_deal_id: 123 },
      done: [{ description: expect.stringContaining("123"), object_ids: { deal_id: 123 } }],
    });
    expect(memory.done[0].timestamp).toMatch(/Z$/);
    expect((await talk.view()).memory).toEqual(memory);
  });

  it("denied with a reason, it is answered, and requested again only on the user's request", async () => {
    const talk = await talkAs(server, "boris");
    const run = await talk.turn("Измени сумму сделки 124 на 1");
    const [asked] = await talk.waiting();
    expect((await talk.decide(asked.id, { decision: "deny", reason: "Клиент не согласовал" })).status).toBe(200);
    await talk.ended(run);
    expect((await talk.answers()).at(-1)).toMatch(/Мне не разрешили.*Клиент не согласовал/);
    expect(await talk.waiting()).toEqual([]);
    const { confirmations, next_planned_actions, done } = await talk.memory();
    expect(confirmations.deal_124_opportunity).toMatchObject({ status: "denied", reason: "Клиент не согласовал" });
    expect([next_planned_actions, done]).toEqual([[], []]);
    expect(await amountOf(124)).toBe(152_300);

    await talk.turn("спасибо");
    expect(await talk.waiting()).toEqual([]);
    await talk.turn("Измени сумму сделки 124 на 1");
    const [again] = await talk.waiting();
    expect(again).toMatchObject({ key: "deal_124_opportunity", status: "requested" });
    expect(again.id).not.toBe(asked.id);
  });

  it("edited on approval, it is executed and reported as edited", async () => {
    const talk = await talkAs(server, "vera");
    const run = await talk.turn("Измени сумму сделки 122 на 500000");
    const [asked] = await talk.waiting();
    const action = { method: "crm.deal.update", params: { id: 122, fields: { OPPORTUNITY: 300000 } } };
    expect((await talk.decide(asked.id, { decision: "approve", action })).status).toBe(200);
    await talk.ended(run);
    expect(await amountOf(122)).toBe(300_000);
    expect((await talk.answers()).at(-1)).toMatch(/300.000/);
    expect(await talk.memory()).toMatchObject({
      ...{ next_planned_actions: [], in_progress: [] },
      confirmations: { deal_122_opportunity: { action: { params: action.params, confirmed: true } } },
    });
  });
});

describe("M9: a decision on a closed confirmation", () => {
  it("because its run was cancelled, is refused with who and why", async () => {
    const talk = await talkAs(server, "gleb");
    const run = await talk.turn("Измени сумму сделки 121 на 5");
    const [asked] = await talk.waiting();
    expect((await server.send("POST", `/api/runs/${run}/cancel`)).status).toBe(202);
    const late = await talk.decide(asked.id, { decision: "approve" });
    expect([late.status, late.body.code]).toEqual([409, "conflict"]);
    for (const told of ["denied", "system", "Cancelled by operator:console"]) expect(late.body.detail).toContain(told);
    expect(await talk.memory()).toMatchObject({
      ...{ in_progress: [], next_planned_actions: [] },
      confirmations: { deal_121_opportunity: { status: "denied", reason: "Cancelled by operator:console" } },
    });
    expect(await amountOf(121)).toBe(1_780_000);
  });

  it("because it was replaced under the same key, is refused likewise, and the newer one is pending", async () => {
    const talk = await talkAs(server, "dina");
    const first = await talk.turn("Измени сумму сделки 120 на 5");
    const [old] = await talk.waiting();
    await talk.turn("Измени сумму сделки 120 на 6");
    await talk.ended(first);
    const [asked, ...others] = await talk.waiting();
    expect(others).toEqual([]);
    expect(asked.action.params.fields).toEqual({ OPPORTUNITY: 6 });
    const late = await talk.decide(old.id, { decision: "approve" });
    expect([late.status, late.body.code]).toEqual([409, "conflict"]);
    for (const told of ["denied", "system", "Replaced by another request"]) expect(late.body.detail).toContain(told);
    expect(await talk.memory()).toMatchObject({
      confirmations: { deal_120_opportunity: { status: "requested", description: asked.description } },
      in_progress: [{ description: asked.description }],
    });
    expect(await amountOf(120)).toBe(240_000);
  });

  it("of two concurrent decisions one counts, and both operators get the result", async () => {
    const talk = await talkAs(server, "egor");
    for (const amount of [7, 8, 9]) {
      const before = await amountOf(119);
      const run = await talk.turn(`Измени сумму сделки 119 на ${amount}`);
      const [asked] = await talk.waiting();
      const both = await Promise.all([
        talk.decide(asked.id, { decision: "approve", reason: "можно" }),
        talk.decide(asked.id, { decision: "deny", reason: "нельзя" }),
      ]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
      const [won, lost] = both[0]?.status === 200 ? both : both.toReversed();
      expect(lost?.body.detail).toContain(`${won?.body.status}`);
      expect(lost?.body.detail).toContain("operator:console");
      await talk.ended(run);
      const { confirmations } = await talk.memory();
      expect(confirmations.deal_119_opportunity.status).toBe(won?.body.status);
      expect(await amountOf(119)).toBe(won?.body.status === "approved" ? amount : before);
    }
  });
});

describe("M13: an invalid memory", () => {
  it("fails the turn with a message and is kept; repaired, the turn can be resumed", async () => {
    const talk = await talkAs(server, "ivan");
    const address = "/api/agent-state/memory:ivan/memory";
    const broken = { goals: "none", note: "kept" };
    expect((await server.send("PUT", address, broken)).status).toBe(201);
    const run = await talk.turn("покажи сделку 123");
    const last = (await talk.messages()).at(-1);
    expect(last).toMatchObject({ role: "assistant", run_id: run, metadata: { failed: true } });
    expect(last?.content).toContain("/goals must be an array");
    const view = await talk.view();
    expect(view.runs).toMatchObject([{ id: run, status: "failed", error: { code: "unreadable_memory" } }]);
    expect(await talk.memory()).toEqual(broken);

    const plan = [{ _tool: "crm.deal.get", _id: "get", id: 123 }];
    const refused = await server.post("/api/plans/run", { plan, user_id: "ivan" });
    expect([refused.status, refused.body.code]).toEqual([409, "conflict"]);
    expect(refused.body.detail).toContain("/goals must be an array");
    expect(await talk.memory()).toEqual(broken);

    const { body: good } = await server.get("/api/agent-state/memory:anna/memory");
    expect((await server.send("PUT", address, { ...good, note: "kept" })).status).toBe(200);
    expect((await server.post(`/api/runs/${run}/resume`, {})).status).toBe(202);
    await talk.ended(run, view.last);
    await talk.turn("покажи сделку 122");
    expect((await talk.answers()).slice(-2)).toEqual([
      expect.stringContaining("Сделка 123"),
      expect.stringContaining("Сделка 122"),
    ]);
    expect(await talk.memory()).toMatchObject({ note: "kept", objects: { current_deal_id: 122 } });
  });
});

describe("M13, D12: the agent's mode applies from the next turn", () => {
  it("shadow executes nothing and reports what it planned; questions are answered", async () => {
    const talk = await talkAs(server, "kira");
    await setMode("shadow");
    await talk.turn("Измени сумму сделки 118 на 5");
    const planned = (await talk.messages()).at(-1);
    expect(planned?.content).toContain("ничего не выполнил");
    expect(planned?.content).toContain("- Записать цель «Изменить сумму сделки 118 на 5»\n- ");
    expect(planned?.metadata).toMatchObject({ planned: true });
    const { next_planned_actions, done, objects } = await talk.memory();
    expect(next_planned_actions).toMatchObject([{ method: "memory.goals.add" }, { method: "crm.deal.get" }]);
    expect([done, objects.current_deal_id]).toEqual([[], null]);
    await talk.turn("спасибо");
    expect((await talk.answers()).at(-1)).toBe("Пожалуйста.");
    expect((await talk.view()).calls.map(({ status }: { status: string }) => status)).not.toContain("succeeded");
  });

  it("canary reads and creates; changes stay planned, without approvals", async () => {
    const talk = await talkAs(server, "lena");
    await setMode("canary");
    await talk.turn("Добавь комментарий к сделке 118: перезвонить");
    expect((await talk.answers()).at(-1)).toContain("Готово");
    await talk.turn("Измени сумму сделки 118 на 5");
    expect((await talk.answers()).at(-1)).toContain("только запланировано");
    expect(await talk.waiting()).toEqual([]);
    expect(await amountOf(118)).toBe(870_000);
    const { next_planned_actions, done } = await talk.memory();
    expect(next_planned_actions).toEqual([
      { method: "crm.deal.update", params: { id: 118, fields: { OPPORTUNITY: 5 } } },
    ]);
    expect(done).toHaveLength(1);

    await setMode("full");
    await talk.turn("Измени сумму сделки 118 на 5");
    expect(await talk.waiting()).toMatchObject([{ key: "deal_118_opportunity" }]);
  });
});
