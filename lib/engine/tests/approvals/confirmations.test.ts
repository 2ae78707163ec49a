import { describe, expect, test, vi } from "vitest";
import { isJsonObject, type JsonObject } from "../../../session/json/json.ts";
import type { Decision } from "../../engine.ts";
import { amounts, dialog, documentOf, gated, setupRemembering, storeDocument } from "../../testing/remembering.ts";
import { scripted } from "../../testing/scripted.ts";
import { AGENT, type Bench, echo, request, type TestTool } from "../../testing/setup.ts";
import { ActivityError } from "../../tools/activity.ts";

const ANN = { user_id: "ann", conversation_id: "c" };
const anyParams = { type: "object" };
const change = (id: number, amount: number, more: JsonObject = {}) => ({
  ...{ _tool: "deal.update", _id: "change", id, amount },
  ...more,
});
const tools: Record<string, TestTool> = {
  "deal.update": { activity: echo, guard: amounts, schema: anyParams },
  "note.add": { activity: echo, effect: "create", schema: anyParams },
};

function memoryOf(bench: Bench): JsonObject {
  const document = documentOf(bench.journal, "ann");
  if (!isJsonObject(document)) throw new Error("no document");
  return document;
}

const waiting = (bench: Bench) =>
  [...bench.session().confirmations.values()].filter((each) => each.status === "requested");

describe("M9: a denied action", () => {
  test("is asked for anew in a later run, as a new request", async () => {
    const bench = setupRemembering({ tools });
    const first = await bench.run([change(1, 5)], ANN);
    await bench.decide({ decision: "deny", reason: "Too much" });
    await bench.settle(first);
    const second = await bench.run([change(1, 5)], ANN);
    expect(bench.statuses(second)).toEqual({ change: "parked" });
    expect(memoryOf(bench).confirmations).toMatchObject({ deal_1_amount: { status: "requested" } });
    expect(memoryOf(bench).confirmations).not.toMatchObject({ deal_1_amount: { reason: "Too much" } });
    await bench.decide({ decision: "approve" });
    await bench.settle(second);
    expect(bench.statuses(second)).toEqual({ change: "succeeded" });
  });
});

describe("M9: what a confirmation is known by", () => {
  test("tells the calls of two delegates apart that run the same plan: both wait", async () => {
    const delegates = [{ name: "payer", plan: [{ _tool: "pay", _id: "pay", amount: "†input.amount" }] }];
    const pay: TestTool = { activity: echo, schema: anyParams, requires_confirmation: true };
    const bench = setupRemembering({ tools: { pay, hand: { activity: echo } }, delegates });
    const plan = ["a", "b"].map((_id, amount) => ({ _tool: "hand", _delegate: "payer", _id, amount }));
    await bench.run(plan, ANN);
    expect(waiting(bench).map(({ key }) => key)).toEqual(["pay_a.pay", "pay_b.pay"]);
    expect(Object.keys(memoryOf(bench).confirmations ?? {})).toEqual(["pay_a.pay", "pay_b.pay"]);
  });
});

describe("P22a, M13: an approved action", () => {
  test("that fails stays planned and is not confirmed; run again, it needs another approval", async () => {
    let isDown = true;
    const failing: TestTool = {
      ...tools["deal.update"],
      activity: async () => {
        if (isDown) throw new ActivityError("portal", "The portal is down");
        return true;
      },
    };
    const bench = setupRemembering({ tools: { "deal.update": failing } });
    const id = await bench.run([change(1, 5)], ANN);
    await bench.decide({ decision: "approve" });
    await bench.settle(id);
    expect(bench.runOf(id).status).toBe("failed");
    expect(memoryOf(bench)).toMatchObject({
      ...{ done: [], next_planned_actions: [{ method: "deal.update", params: { id: 1, amount: 5 } }] },
      confirmations: { deal_1_amount: { status: "approved", action: { confirmation_decision: "approve" } } },
    });
    expect(memoryOf(bench).confirmations).not.toMatchObject({ deal_1_amount: { action: { confirmed: true } } });
    isDown = false;
    await bench.clock.until(bench.engine.resume(id, [], "operator:ann"));
    await bench.settle(id);
    expect(bench.statuses(id)).toEqual({ change: "parked" });
    await bench.decide({ decision: "approve" });
    await bench.settle(id);
    expect(bench.statuses(id)).toEqual({ change: "succeeded" });
    expect(memoryOf(bench)).toMatchObject({
      ...{ next_planned_actions: [], done: [expect.anything()] },
      confirmations: { deal_1_amount: { status: "approved", action: { confirmed: true } } },
    });
  });

  test("may have been edited, to another key and risk: what was agreed to is carried out, and nothing stays planned", async () => {
    const bench = setupRemembering({ tools });
    const id = await bench.run([change(1, 5)], ANN);
    const params = { id: 2, amount: 7, requires_confirmation: true };
    await bench.decide({ decision: "approve", action: { method: "deal.update", params } });
    await bench.settle(id);
    expect(bench.events("call.started").map(({ payload }) => payload.params)).toEqual([params]);
    expect(bench.events("confirmation.requested")).toHaveLength(1);
    expect(memoryOf(bench)).toMatchObject({
      ...{ next_planned_actions: [], in_progress: [] },
      confirmations: {
        deal_1_amount: { status: "approved", action: { params: { id: 2, amount: 7 }, confirmed: true } },
      },
    });
  });

  test("may be another call in place of a delegate's, which is remembered as its own", async () => {
    const delegates = [{ name: "careful", plan: [{ _tool: "note.add", _id: "inner" }] }];
    const bench = setupRemembering({
      tools: { ...tools, ask: { activity: echo, requires_confirmation: true } },
      delegates,
    });
    const id = await bench.run([{ _tool: "ask", _id: "hand", _delegate: "careful" }], ANN);
    await bench.decide({ decision: "approve", action: { method: "note.add", params: { text: "x" } } });
    await bench.settle(id);
    expect(bench.statuses(id)).toEqual({ hand: "succeeded" });
    expect(memoryOf(bench).done).toHaveLength(1);
  });
});

describe("M9: decisions that come together, or too late", () => {
  test("of two at the same moment the first one counts, and the other is told who it was", async () => {
    const bench = setupRemembering({ tools });
    const id = await bench.run([change(1, 5)], ANN);
    const [asked] = waiting(bench);
    const decide = (decision: Decision["decision"], actor: string) =>
      bench.engine.decide(asked?.id ?? "", id, { decision, reason: null, action: null, result: undefined, actor });
    const [first, second, same] = await Promise.allSettled([
      decide("deny", "operator:bob"),
      decide("approve", "operator:eve"),
      decide("deny", "operator:dan"),
    ]);
    expect([first.status, second.status, same.status]).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(second).toMatchObject({
      reason: { code: "conflict", message: expect.stringContaining("operator:bob has already denied") },
    });
    await bench.settle(id);
    expect(bench.types.filter((type) => type.startsWith("confirmation."))).toEqual([
      "confirmation.requested",
      "confirmation.denied",
    ]);
    expect(bench.events("call.started")).toEqual([]);
  });

  test("one that comes with a cancel is told of that", async () => {
    const bench = setupRemembering({ tools });
    const id = await bench.run([change(1, 5)], ANN);
    const [asked] = waiting(bench);
    const approval = { decision: "approve" as const, reason: null, action: null, result: undefined };
    const [cancelled, decided] = await Promise.allSettled([
      bench.engine.cancel(id, "operator:bob"),
      bench.engine.decide(asked?.id ?? "", id, { ...approval, actor: "operator:eve" }),
    ]);
    expect(cancelled.status).toBe("fulfilled");
    expect(decided).toMatchObject({
      reason: { code: "conflict", message: expect.stringContaining("Cancelled by operator:bob") },
    });
    expect(memoryOf(bench)).toMatchObject({
      confirmations: { deal_1_amount: { status: "denied", reason: "Cancelled by operator:bob" } },
      ...{ in_progress: [], next_planned_actions: [] },
    });
  });
});

describe("P24: a turn that is stopped", () => {
  test("while it reads what was said before asks no model and tells of nothing after its end", async () => {
    const said = Promise.withResolvers<[]>();
    const slow = { ...dialog, before: () => said.promise };
    const { model, asked } = scripted({ native: [], text: "Hi" });
    const bench = setupRemembering({ tools, model, dialog: slow });
    storeDocument(bench.journal, "ann", { ...EMPTY });
    const turn = {
      ...AGENT,
      ...{ run_id: "r", message: { id: "m", content: "hello" } },
    };
    await bench.engine.start(request(null, { ...ANN, turn }));
    await vi.waitFor(() => expect(bench.types).toContain("run.iteration"));
    await bench.engine.cancel("r", "operator:ann");
    said.resolve([]);
    await bench.settle("r");
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(bench.types.at(-1)).toBe("run.cancelled");
    expect(asked).toEqual([]);
  });
});

const EMPTY = {
  ...{ goals: [], done: [], in_progress: [], next_planned_actions: [], confirmations: {}, event_bindings: [] },
  objects: { current_deal_id: null, current_contact_id: null, current_company_id: null, current_task_id: null },
};

describe("P24: a call that is run again", () => {
  test("in a turn whose calls have all ended keeps the next request to the model back until it has ended, too", async () => {
    const gate = gated();
    let isDown = true;
    const failing: TestTool = {
      ...tools["deal.update"],
      activity: async () => {
        if (isDown) throw new ActivityError("portal", "The portal is down");
        return true;
      },
    };
    const native = (call_id: string, params: JsonObject) => ({
      ...{ call_id, name: "deal_update" },
      arguments: JSON.stringify(params),
    });
    const { model, asked } = scripted(
      { native: [native("a", { id: 1, amount: 5 }), native("b", { id: 2, amount: 5 })] },
      { native: [], text: "Done" },
    );
    const bench = setupRemembering({ tools: { "deal.update": failing, slow: { activity: gate.activity } }, model });
    const turn = {
      ...AGENT,
      ...{ run_id: "r", message: { id: "m", content: "hello" } },
    };
    await bench.run(null, { ...ANN, turn });
    await bench.decide({ decision: "approve" }, "a");
    await bench.settle("r");
    expect(bench.statuses("r")).toEqual({ a: "failed", b: "parked" });
    const other = await bench.engine.start(request([{ _tool: "slow", _id: "s", name: "s" }], ANN));
    await vi.waitFor(() => expect(gate.started).toEqual(["s"]));
    // All have ended, and the next request waits for the turn.
    await bench.decide({ decision: "deny" }, "b");
    isDown = false;
    await bench.engine.resume("r", [{ call_id: "a", iteration: 1, instance: "" }], "operator:ann");
    await vi.waitFor(() => expect(waiting(bench)).toHaveLength(1));
    gate.open("s");
    for (const id of [other.run_id, "r"]) await bench.settle(id);
    expect(asked).toHaveLength(1);
    await bench.decide({ decision: "approve" }, "a");
    await bench.settle("r");
    expect(bench.runOf("r").status).toBe("finished");
    expect(asked).toHaveLength(2);
    expect(bench.call("r", "a")).toMatchObject({ status: "succeeded" });
    expect(waiting(bench)).toEqual([]);
  });
});
