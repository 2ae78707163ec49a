import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../session/json/json.ts";
import { amounts, documentOf, setupRemembering } from "../../testing/remembering.ts";
import { scripted } from "../../testing/scripted.ts";
import { AGENT, echo, type TestTool } from "../../testing/setup.ts";

const ANN = { user_id: "ann" };
const anyParams = { type: "object" };
const harmless = {
  ...amounts,
  risk: () => null,
  actionOf: (params: JsonObject) => ({ method: "note.update", params }),
};
const tools: Record<string, TestTool> = {
  "deal.update": { activity: echo, guard: amounts, schema: anyParams },
  "note.update": { activity: echo, guard: harmless, schema: anyParams, effect: "create" },
  look: { activity: echo, effect: "read", schema: anyParams },
  charge: { activity: echo, requires_confirmation: true, schema: anyParams },
};
/** A call of one tool that has another's activity carry it out (P1). */
const borrowing = (tool: string, activity: string, params: JsonObject = { id: 1, amount: 5 }) => [
  { _tool: tool, _id: "borrow", _activity: activity, ...params },
];

function bench(more: Parameters<typeof setupRemembering>[0] = {}) {
  // As the registry has it: the activity of a tool can be named by the tool's name.
  const activities = Object.fromEntries(Object.keys(tools).map((name) => [name, echo]));
  return setupRemembering({ tools, activities, ...more });
}

describe("M13: a call that names the activity of another tool", () => {
  test.each([["look"], ["note.update"]])("is as risky as what it carries out: %s", async (tool) => {
    const made = bench();
    const id = await made.run(borrowing(tool, "deal.update"), ANN);
    expect(made.statuses(id)).toEqual({ borrow: "parked" });
    expect(made.events("confirmation.requested")[0]?.payload).toMatchObject({
      key: "deal_1_amount",
      action: { method: "deal.update", params: { id: 1, amount: 5 } },
      before: { amount: 1 },
    });
    await made.decide({ decision: "approve" });
    await made.settle(id);
    expect(made.events("call.started").map(({ payload }) => payload.tool)).toEqual(["deal.update"]);
    expect(documentOf(made.journal, "ann")).toMatchObject({
      confirmations: { deal_1_amount: { status: "approved", action: { confirmed: true } } },
      next_planned_actions: [],
    });
  });

  test("P2a: is as risky as its own tool, too", async () => {
    const made = bench();
    const id = await made.run(borrowing("deal.update", "note.update"), ANN);
    expect(made.statuses(id)).toEqual({ borrow: "parked" });
  });

  test("M6: is remembered as what was carried out", async () => {
    const made = bench();
    await made.run(borrowing("look", "note.update"), ANN);
    await made.run(borrowing("look", "look"), ANN);
    const { done } = documentOf(made.journal, "ann") as { done: JsonObject[] };
    expect(done).toHaveLength(1);
    expect(done[0]?.description).toContain("note.update");
  });

  test("stays planned in canary when that changes something", async () => {
    const made = bench();
    const id = await made.run(borrowing("look", "deal.update", { id: 1 }), { ...ANN, mode: "canary" });
    expect(made.statuses(id)).toEqual({ borrow: "skipped" });
    expect(documentOf(made.journal, "ann")).toMatchObject({ next_planned_actions: [{ method: "deal.update" }] });
  });
});

describe("M13: what a delegate carries out", () => {
  const delegates = [
    {
      name: "mixed",
      plan: [
        { _tool: "look", _id: "read", id: 1 },
        { _tool: "deal.update", _id: "change", id: 1 },
      ],
    },
  ];

  test("is looked at there: in canary its reads run, and its changes stay planned", async () => {
    const made = bench({ delegates });
    const id = await made.run([{ _tool: "look", _id: "hand", _delegate: "mixed" }], { ...ANN, mode: "canary" });
    expect(made.statuses(id)).toEqual({ hand: "succeeded" });
    expect(made.events("call.started").map(({ payload }) => payload.call_id)).toEqual(["hand", "read"]);
    expect(documentOf(made.journal, "ann")).toMatchObject({ next_planned_actions: [{ method: "deal.update" }] });
  });

  test("in canary what has to be confirmed is not handed on, and nobody is asked", async () => {
    const made = bench({ delegates });
    const id = await made.run([{ _tool: "charge", _id: "hand", _delegate: "mixed" }], { ...ANN, mode: "canary" });
    expect(made.statuses(id)).toEqual({ hand: "skipped" });
    expect(made.events("confirmation.requested")).toEqual([]);
  });

  test("in shadow nothing of it begins", async () => {
    const made = bench({ delegates });
    await made.run([{ _tool: "look", _id: "hand", _delegate: "mixed" }], { ...ANN, mode: "shadow" });
    expect(made.events("run.started")).toHaveLength(1);
    expect(made.events("call.started")).toEqual([]);
  });
});

describe("M13: an agent in shadow", () => {
  const turn = {
    ...AGENT,
    ...{ run_id: "r", message: { id: "m", content: "hello" } },
  };
  const answers = (made: ReturnType<typeof bench>) =>
    made.events("message.created").map(({ payload }) => payload.content);

  test("D6: is heard when it answers in words", async () => {
    const made = bench({ model: scripted({ native: [], text: "Hi" }).model });
    await made.run(null, { ...ANN, conversation_id: "c", mode: "shadow", turn });
    expect(answers(made)).toEqual(["hello", "Hi"]);
    expect(made.types).not.toContain("plan.simulated");
  });

  test("D6: says what it planned, and loses none of its words", async () => {
    const call = { call_id: "a", name: "deal_update", arguments: JSON.stringify({ id: 1, amount: 5 }) };
    const made = bench({ model: scripted({ native: [call], text: "One moment." }).model });
    await made.run(null, { ...ANN, conversation_id: "c", mode: "shadow", turn });
    expect(answers(made)).toEqual(["hello", "One moment.", "planned: Change deal 1 to 5"]);
    expect(made.events("call.started")).toEqual([]);
    expect(documentOf(made.journal, "ann")).toMatchObject({ next_planned_actions: [{ method: "deal.update" }] });
  });
});
