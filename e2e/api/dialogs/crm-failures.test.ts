import { createServer } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { fakePortal, type Method, type Reply, SECRET } from "../../../lib/crm/testing/fake-portal.ts";
import { json, loopback } from "../../../lib/engine/testing/loopback.ts";
import type { Json, JsonObject } from "../../../lib/session/json/json.ts";
import { talkAs } from "../setup/crm-talk.ts";
import { withServer } from "../setup/server.ts";

const DEAL = { ID: "123", TITLE: "Servers", CURRENCY_ID: "RUB", STAGE_ID: "NEW" };

/** The portal's deal, each change of its amount, and the failures of a test. */
let amount = "85000.00";
let changes: Json[] = [];
let trouble: (method: string) => Reply | null = () => null;
beforeEach(() => {
  amount = "85000.00";
  changes = [];
  trouble = () => null;
});

function change({ fields }: JsonObject): true {
  const opportunity = (fields as JsonObject).OPPORTUNITY ?? null;
  changes.push(opportunity);
  amount = `${opportunity}.00`;
  return true;
}

const method = (name: string, act: (params: JsonObject) => Json): Method => {
  return (params) => trouble(name) ?? { result: act(params) };
};
const BUSY: Reply = { error: "QUERY_LIMIT_EXCEEDED", error_description: "Too many requests", status: 429 };

let portal: Awaited<ReturnType<typeof fakePortal>>;
beforeAll(async () => {
  portal = await fakePortal({
    "crm.deal.get": method("crm.deal.get", () => ({ ...DEAL, OPPORTUNITY: amount })),
    "crm.deal.update": method("crm.deal.update", change),
    "crm.deal.list": method("crm.deal.list", () => [DEAL]),
  });
});
afterAll(() => portal[Symbol.asyncDispose]());
const asked = (name: string) => portal.asked.filter((each) => each.method === name).length;

describe("M14: a portal in trouble", () => {
  const server = withServer({
    get BITRIX24_WEBHOOK_URL() {
      return portal.webhookUrl;
    },
  });

  it("P24: a series of 429 is retried, and the approved action is executed once", async () => {
    const talk = await talkAs(server, "storm");
    const run = await talk.turn("Измени сумму сделки 123 на 150000");
    const [{ id, before }] = await talk.waiting();
    expect(before).toEqual({ OPPORTUNITY: "85000.00" });
    const tries = asked("crm.deal.update");
    trouble = (name) => (name === "crm.deal.update" && asked(name) - tries <= 2 ? BUSY : null);
    expect((await talk.decide(id, { decision: "approve" })).status).toBe(200);
    await talk.ended(run);
    expect([asked("crm.deal.update") - tries, changes]).toEqual([3, [150_000]]);
    expect((await talk.answers()).at(-1)).toMatch(/Готово.*150.000/);
  });

  it("M13: an endless one fails the action, which stays planned; requested again, it needs a new approval", async () => {
    const talk = await talkAs(server, "hurricane");
    const first = await talk.turn("Измени сумму сделки 123 на 150000");
    const [old] = await talk.waiting();
    trouble = (name) => (name === "crm.deal.update" ? BUSY : null);
    expect((await talk.decide(old.id, { decision: "approve" })).status).toBe(200);
    await talk.ended(first);
    expect((await talk.answers()).at(-1)).toMatch(
      /Не получилось.*Too many requests \(asked 5 times; try again later\)/,
    );
    const failed = await talk.memory();
    expect(failed).toMatchObject({
      next_planned_actions: [{ method: "crm.deal.update", params: { id: 123, fields: { OPPORTUNITY: 150_000 } } }],
      confirmations: { deal_123_opportunity: { status: "approved" } },
      ...{ done: [], in_progress: [] },
    });
    expect(failed.confirmations.deal_123_opportunity.action.confirmed).toBeUndefined();

    trouble = () => null;
    const second = await talk.turn("Измени сумму сделки 123 на 150000");
    const [again] = await talk.waiting();
    expect([again.id === old.id, changes]).toEqual([false, []]);
    expect((await talk.decide(again.id, { decision: "approve" })).status).toBe(200);
    await talk.ended(second);
    expect(changes).toEqual([150_000]);
    expect(await talk.memory()).toMatchObject({ next_planned_actions: [], done: [expect.anything()] });
  });

  it("P23: an approved call that had not started at a kill is executed once, after those in progress", async () => {
    const talk = await talkAs(server, "killed");
    const first = await talk.turn("Измени сумму сделки 123 на 150000");
    const [{ id }] = await talk.waiting();
    trouble = (name) => (name === "crm.deal.list" ? "hang" : null);
    const lists = asked("crm.deal.list");
    // Another turn of the user is active, so the approved call has to wait.
    const message = { content: "список сделок", message_id: "list-the-deals" };
    const said = await server.post("/api/conversations/killed/messages", message);
    await vi.waitFor(() => expect(asked("crm.deal.list")).toBe(lists + 1));
    expect((await talk.decide(id, { decision: "approve" })).status).toBe(200);
    expect(changes).toEqual([]);
    // The first request hangs; that of the next process does not.
    trouble = () => null;
    await server.restart("SIGKILL");
    // A client without a response sends its message again.
    expect((await server.post("/api/conversations/killed/messages", message)).body).toEqual(said.body);
    for (const run of [first, said.body.run_id]) await talk.ended(run);
    expect(changes).toEqual([150_000]);
    const answers = await talk.answers();
    expect(answers.filter((answer) => answer.includes("Готово"))).toHaveLength(1);
    expect(answers.filter((answer) => answer.includes("**Сделки: "))).toHaveLength(1);
    expect(await talk.memory()).toMatchObject({
      next_planned_actions: [],
      confirmations: { deal_123_opportunity: { status: "approved", action: { confirmed: true } } },
    });
  });

  it("P23: a call in progress at a kill is never repeated without approval", async () => {
    const talk = await talkAs(server, "interrupted");
    const run = await talk.turn("Измени сумму сделки 123 на 150000");
    const [{ id }] = await talk.waiting();
    const tries = asked("crm.deal.update");
    const done = method("crm.deal.update", change);
    trouble = (name) => {
      if (name !== "crm.deal.update") return null;
      trouble = () => null;
      done({ fields: { OPPORTUNITY: 150_000 } }, 1);
      return "hang";
    };
    expect((await talk.decide(id, { decision: "approve" })).status).toBe(200);
    await vi.waitFor(() => expect(asked("crm.deal.update")).toBe(tries + 1));
    await server.restart("SIGKILL");
    await vi.waitFor(async () => expect(await talk.waiting()).toHaveLength(1));
    const [again] = await talk.waiting();
    expect([again.cause, again.id === id]).toEqual(["interrupted", false]);
    expect((await talk.decide(again.id, { decision: "approve", result: true })).status).toBe(200);
    await talk.ended(run);
    expect([asked("crm.deal.update") - tries, changes]).toEqual([1, [150_000]]);
    expect((await talk.answers()).at(-1)).toMatch(/Готово.*150.000/);
    expect(await talk.memory()).toMatchObject({ next_planned_actions: [], done: [expect.anything()], in_progress: [] });
  });
});

describe("M14: an unreachable portal", () => {
  let port = 0;
  beforeAll(async () => {
    const gone = await loopback((response) => json(response, null));
    port = Number(new URL(gone.url).port);
    await gone[Symbol.asyncDispose]();
  });
  const server = withServer({
    get BITRIX24_WEBHOOK_URL() {
      return `http://127.0.0.1:${port}/rest/1/${SECRET}/`;
    },
  });

  it("fails the action with a remedy; later turns work, and nothing stays planned", async () => {
    const talk = await talkAs(server, "alone");
    const run = await talk.turn("покажи сделку 123");
    const [answer] = await talk.answers();
    expect(answer).toMatch(/^Не получилось показать сделку 123\..*check that the portal runs/s);
    expect((await talk.view()).runs).toMatchObject([{ id: run, status: "finished" }]);
    expect(await talk.memory()).toMatchObject({
      next_planned_actions: [{ method: "crm.deal.get", params: { id: 123 } }],
      objects: { current_deal_id: null },
    });
    const told = await server.get("/api/conversations/alone/export");
    expect(told.body).not.toContain(SECRET);

    const back = createServer((_, response) => json(response, { result: { ...DEAL, OPPORTUNITY: "1.00" } }));
    await new Promise<void>((resolve) => back.listen(port, "127.0.0.1", resolve));
    await talk.turn("покажи сделку 123");
    back.closeAllConnections();
    back.close();
    expect((await talk.answers()).at(-1)).toContain("Servers");
    expect(await talk.memory()).toMatchObject({ next_planned_actions: [], objects: { current_deal_id: 123 } });
  });
});
