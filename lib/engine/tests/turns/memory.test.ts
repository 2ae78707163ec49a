import { describe, expect, test, vi } from "vitest";
import type { Json, JsonObject } from "../../../session/json/json.ts";
import { MemoryJournal } from "../../testing/memory-journal.ts";
import { amounts, dialog, documentOf, setupRemembering, storeDocument } from "../../testing/remembering.ts";
import { type Said, scripted } from "../../testing/scripted.ts";
import { AGENT, type Bench, echo, request, type TestTool } from "../../testing/setup.ts";
import { ActivityError } from "../../tools/activity.ts";

const ANN = { user_id: "ann" };
const EMPTY = {
  goals: [],
  done: [],
  in_progress: [],
  objects: { current_deal_id: null, current_contact_id: null, current_company_id: null, current_task_id: null },
  next_planned_actions: [],
  confirmations: {},
  event_bindings: [],
};
const anyParams = { type: "object" };
const tools: Record<string, TestTool> = {
  echo: { activity: echo, effect: "read" },
  "crm.deal.get": {
    activity: async ({ id = null }) => ({ ID: id, CONTACT_ID: "7" }),
    effect: "read",
    schema: anyParams,
  },
  "deal.update": { activity: async () => true, guard: amounts, schema: anyParams, description: "Changes a deal" },
  "deal.add": { activity: async () => 9, effect: "create", schema: anyParams },
  broken: {
    activity: async () => {
      throw new ActivityError("portal", "The portal is down");
    },
    schema: anyParams,
  },
  "memory.goals.add": { activity: async ({ goal = null }) => ({ goal }), effect: "none", schema: anyParams },
};
const change = (id: number, amount: number, more: JsonObject = {}): JsonObject => ({
  _tool: "deal.update",
  _id: "change",
  id,
  amount,
  ...more,
});

function memoryOf(bench: Bench, userId = "ann"): JsonObject {
  const value = documentOf(bench.journal, userId);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("no document");
  return value;
}

describe("M15: the memory in plans", () => {
  test("is read by reference, as its iteration found it, which is in the log", async () => {
    const bench = setupRemembering({ tools });
    storeDocument(bench.journal, "ann", { ...EMPTY, objects: { ...EMPTY.objects, current_deal_id: 123 } });
    const id = await bench.run(
      [
        { _tool: "crm.deal.get", _id: "other", id: 5, _outputPath: "†state.other" },
        {
          _tool: "echo",
          _id: "read",
          value: "†memory.objects.current_deal_id",
          after: "†state.other",
          _outputPath: "†state.deal",
        },
      ],
      ANN,
    );
    // The get has made 5 the current deal by then; this iteration reads what it began with.
    expect(bench.state(id)).toMatchObject({ deal: 123 });
    expect(memoryOf(bench).objects).toMatchObject({ current_deal_id: 5, current_contact_id: 7 });
    const [first] = bench.events("memory.updated");
    expect(first?.payload).toMatchObject({ user_id: "ann", version: 1 });
    expect(bench.session().memory).toEqual(memoryOf(bench));
  });

  test("a path that only its schema knows is a warning, one that cannot be an error", async () => {
    const bench = setupRemembering({ tools });
    const read = (value: string) => bench.engine.start(request([{ _tool: "echo", _id: "read", value }], ANN));
    await expect(read("†memory.nowhere.at.all")).rejects.toMatchObject({ problems: [{ code: "unbound" }] });
    await expect(read("†memory.objects.current_deal_id")).resolves.toMatchObject({});
    const nobody = bench.engine.start(request([{ _tool: "echo", _id: "read", value: "†memory.goals" }]));
    await expect(nobody).rejects.toMatchObject({ code: "invalid_plan" });
  });

  test("is written by its rules alone", async () => {
    const bench = setupRemembering({ tools });
    const write = [{ _tool: "echo", _id: "write", value: 1, _outputPath: "†memory.goals" }];
    await expect(bench.engine.start(request(write, ANN))).rejects.toMatchObject({ code: "invalid_plan" });
  });

  test("a delegate sees it only where its scopes say so (P28), and what it does is remembered", async () => {
    const bench = setupRemembering({
      tools,
      delegates: [
        { name: "blind", plan: [{ _tool: "crm.deal.get", _id: "get", id: 8 }] },
        { name: "knows", plan: [{ _tool: "echo", _id: "read", value: "†memory.goals", _outputPath: "†state.goals" }] },
      ],
    });
    storeDocument(bench.journal, "ann", { ...EMPTY, goals: ["sell"] });
    const id = await bench.run(
      [
        { _tool: "echo", _id: "a", _delegate: "blind" },
        { _tool: "echo", _id: "b", _delegate: "knows", _scopes: ["memory"], _outputPath: "†state.seen" },
      ],
      ANN,
    );
    expect(bench.statuses(id)).toEqual({ a: "succeeded", b: "succeeded" });
    expect(bench.state(id)).toEqual({ seen: { goals: ["sell"] } });
    expect(memoryOf(bench).objects).toMatchObject({ current_deal_id: 8 });
    expect(bench.session().memory).toEqual(memoryOf(bench));
  });
});

describe("M9: confirmations in the memory", () => {
  test("what waits is requested with its action and its old values, in progress and planned; approved it is done", async () => {
    const bench = setupRemembering({ tools });
    const id = await bench.run([change(1, 5)], ANN);
    expect(bench.runOf(id).status).toBe("waiting");
    expect(bench.events("confirmation.requested")[0]?.payload).toMatchObject({
      key: "deal_1_amount",
      description: "Change deal 1 to 5",
      action: { method: "deal.update", params: { id: 1, amount: 5 } },
      before: { amount: 1 },
    });
    expect(memoryOf(bench)).toMatchObject({
      confirmations: { deal_1_amount: { status: "requested", description: "Change deal 1 to 5" } },
      in_progress: [{ description: "Change deal 1 to 5" }],
      next_planned_actions: [{ method: "deal.update", params: { id: 1, amount: 5 } }],
      done: [],
    });
    await bench.decide({ decision: "approve" });
    await bench.settle(id);
    expect(memoryOf(bench)).toMatchObject({
      confirmations: { deal_1_amount: { status: "approved", action: { confirmed: true } } },
      in_progress: [],
      next_planned_actions: [],
      done: [expect.anything()],
    });
    expect(bench.session().memory).toEqual(memoryOf(bench));
  });

  test("a denial is kept with its reason, and nothing is planned or done", async () => {
    const bench = setupRemembering({ tools });
    const id = await bench.run([change(1, 5)], ANN);
    await bench.decide({ decision: "deny", reason: "Too much" });
    await bench.settle(id);
    expect(memoryOf(bench)).toMatchObject({
      confirmations: { deal_1_amount: { status: "denied", reason: "Too much" } },
      ...{ in_progress: [], next_planned_actions: [], done: [] },
    });
  });

  test("a model's wish for a confirmation is heard, and is not a parameter of the action", async () => {
    const wishes = {
      ...amounts,
      risk: ({ requires_confirmation }: JsonObject) => (requires_confirmation ? "wished" : null),
    };
    const bench = setupRemembering({ tools: { "deal.update": { ...tools["deal.update"], guard: wishes } } });
    const plan = [change(1, 5, { requires_confirmation: true }), { ...change(2, 5), _id: "free" }];
    const id = await bench.run(plan, ANN);
    expect(bench.statuses(id)).toEqual({ change: "parked", free: "succeeded" });
    expect(bench.events("confirmation.requested")[0]?.payload.action.params).toEqual({ id: 1, amount: 5 });
  });

  test("another action under an awaited key denies the old one as system, in another run of the user too", async () => {
    const bench = setupRemembering({ tools });
    const first = await bench.run([change(1, 5)], ANN);
    const second = await bench.run([change(1, 6)], ANN);
    await vi.waitFor(() => expect(bench.runOf(first).status).toBe("finished"));
    expect(bench.call(first, "change")).toMatchObject({ status: "denied" });
    expect(bench.runOf(second).status).toBe("waiting");
    const [denied] = bench.events("confirmation.denied");
    expect(denied?.payload).toMatchObject({ decided_by: "system" });
    expect(denied?.payload.reason).toContain("Change deal 1 to 6");
    expect(memoryOf(bench)).toMatchObject({ confirmations: { deal_1_amount: { status: "requested" } } });
    // Another user's stays.
    const other = await bench.run([change(1, 7)], { user_id: "bob" });
    expect(bench.runOf(other).status).toBe("waiting");
    expect(bench.runOf(second).status).toBe("waiting");
  });

  test("the same action that already awaits a decision is not asked for twice", async () => {
    const bench = setupRemembering({ tools });
    await bench.run([change(1, 5)], ANN);
    const again = await bench.run([change(1, 5)], ANN);
    expect(bench.call(again, "change")).toMatchObject({ status: "skipped" });
    expect(bench.call(again, "change").reason).toContain("already waiting");
    expect(bench.events("confirmation.requested")).toHaveLength(1);
  });

  test("values before that cannot be read are no reason not to ask", async () => {
    const failing = { ...amounts, before: () => Promise.reject(new Error("no portal")) };
    const bench = setupRemembering({ tools: { "deal.update": { ...tools["deal.update"], guard: failing } } });
    const id = await bench.run([change(1, 5)], ANN);
    expect(bench.statuses(id)).toEqual({ change: "parked" });
    expect(bench.logged.join()).toContain("no portal");
  });
});

describe("M13: modes", () => {
  test("canary carries out reads and safe creates; the rest stays planned", async () => {
    const bench = setupRemembering({ tools });
    const id = await bench.run(
      [
        { _tool: "crm.deal.get", _id: "read", id: 1 },
        { _tool: "deal.add", _id: "create" },
        change(1, 5),
        { ...change(2, 5), _id: "safe", amount: null },
      ],
      { ...ANN, mode: "canary" },
    );
    expect(bench.statuses(id)).toEqual({ read: "succeeded", create: "succeeded", change: "skipped", safe: "skipped" });
    expect(bench.call(id, "change").reason).toContain("canary");
    expect(memoryOf(bench).next_planned_actions).toMatchObject([{ params: { id: 1 } }, { params: { id: 2 } }]);
    expect(bench.events("confirmation.requested")).toEqual([]);
  });

  test("shadow carries nothing out; the plan goes to the planned actions", async () => {
    const bench = setupRemembering({ tools });
    const id = await bench.run([{ _tool: "crm.deal.get", _id: "read", id: 1 }, change(1, 5)], {
      ...ANN,
      mode: "shadow",
    });
    expect(bench.events("call.started")).toEqual([]);
    expect(bench.runOf(id).status).toBe("finished");
    expect(memoryOf(bench).next_planned_actions).toMatchObject([
      { method: "crm.deal.get", params: { id: 1 } },
      { method: "deal.update", params: { id: 1, amount: 5 } },
    ]);
  });

  test("a failed action stays planned, and the others go on", async () => {
    const bench = setupRemembering({ tools });
    const id = await bench.run(
      [
        { _tool: "broken", _id: "bad", x: 1 },
        { _tool: "deal.add", _id: "good" },
      ],
      ANN,
    );
    expect(bench.statuses(id)).toEqual({ bad: "failed", good: "succeeded" });
    expect(memoryOf(bench).next_planned_actions).toMatchObject([{ method: "broken", params: { x: 1 } }]);
  });

  test("a document that cannot be read fails the turn, and is kept", async () => {
    const bench = setupRemembering({ tools });
    storeDocument(bench.journal, "ann", { goals: "none" });
    await expect(bench.engine.start(request([{ _tool: "deal.add", _id: "x" }], ANN))).rejects.toMatchObject({
      code: "unreadable_memory",
    });
    expect(bench.journal.events).toEqual([]);
    expect(documentOf(bench.journal, "ann")).toEqual({ goals: "none" });
  });

  test("one that is broken while a turn goes on fails it clearly; mended, what was done is remembered", async () => {
    const bench = setupRemembering({ tools });
    const id = await bench.run([change(1, 5), { ...change(2, 5), _id: "second" }], ANN);
    storeDocument(bench.journal, "ann", "garbage");
    await bench.decide({ decision: "approve" }, "change");
    await bench.settle(id);
    expect(bench.runOf(id)).toMatchObject({ status: "failed", error: { code: "unreadable_memory" } });
    expect(documentOf(bench.journal, "ann")).toBe("garbage");
    storeDocument(bench.journal, "ann", EMPTY);
    await bench.clock.until(bench.engine.resume(id, [], "operator:ann"));
    await bench.settle(id);
    expect(memoryOf(bench).done).toHaveLength(1);
  });
});

describe("M10–M12: a turn that a model plans", () => {
  const turn = (more: JsonObject = {}) => ({
    ...{ plan: null, user_id: "ann", agent_id: "crm", conversation_id: "c" },
    turn: {
      ...AGENT,
      run_id: "r",
      message: { id: "m", content: "hello" },
      ...more,
    },
  });
  const talk = async (...sayings: Said[]) => {
    const { model, asked } = scripted(...sayings);
    const bench = setupRemembering({ model, tools });
    return { bench, asked };
  };
  const native = (name: string, params: Json, call_id = "c1") => ({ call_id, name, arguments: JSON.stringify(params) });
  const spoken = (bench: Bench) =>
    bench.events("message.created").map(({ payload }) => [payload.role, payload.content, payload.metadata ?? {}]);

  test("gives the model the memory in short and as a document, and tells the user what it lacks", async () => {
    const { bench, asked } = await talk({ native: [], text: "Hi" });
    const start = Date.parse("2026-01-01T00:00:00Z");
    const requested_at = new Date(start - 25 * 3_600_000).toISOString();
    const action = { method: "deal.update", params: { id: 1 } };
    storeDocument(bench.journal, "ann", {
      ...{ ...EMPTY, goals: ["sell"] },
      confirmations: { k: { status: "requested", requested_at, description: "Sell it", action } },
    });
    await bench.run(null, turn());
    const input = JSON.stringify(asked[0]?.input);
    expect(input).toContain("sell");
    expect(input).toContain("Sell it");
    const [, answer] = spoken(bench);
    expect(answer?.[1]).toBe("Hi");
    expect(answer?.[2]).toEqual({ warnings: [expect.stringContaining("Sell it")] });
    expect(bench.events("selfcheck.warned")).toHaveLength(1);
  });

  test("M10: who can only hand over or call a manager is not told what the memory lacks, and tells nobody", async () => {
    const { model } = scripted({ native: [], text: "Hi" });
    const bench = setupRemembering({ model, tools: { CallManager: { control: "escalate" } } });
    storeDocument(bench.journal, "ann", { ...EMPTY, goals: [] });
    await bench.run(null, turn({ tools: ["CallManager"] }));
    const [, answer] = spoken(bench);
    expect(answer?.slice(1)).toEqual(["Hi", {}]);
    expect(bench.events("selfcheck.warned")).toEqual([]);
  });

  test("tells its user what it waits for, once; approved, it goes on and answers", async () => {
    const { bench, asked } = await talk(
      {
        native: [native("memory_goals_add", { goal: "sell" }, "g"), native("deal_update", { id: 1, amount: 5 })],
        text: "One moment.",
      },
      { native: [], text: "Done" },
    );
    const id = await bench.run(null, turn());
    expect(spoken(bench).map(([, content]) => content)).toEqual([
      "hello",
      "One moment.",
      "waiting: Change deal 1 to 5",
    ]);
    await bench.decide({ decision: "approve" });
    await bench.settle(id);
    expect(
      spoken(bench)
        .map(([, content]) => content)
        .at(-1),
    ).toBe("Done");
    expect(memoryOf(bench).goals).toEqual(["sell"]);
    expect(JSON.stringify(asked[1]?.input)).toContain("function_call_output");
  });

  test("M9: a denial is told to the model with its reason, and proposed again in that run it stays denied", async () => {
    const { bench, asked } = await talk(
      { native: [native("deal_update", { id: 1, amount: 5 })] },
      { native: [native("deal_update", { id: 1, amount: 5 }, "c2")] },
      { native: [], text: "As you wish" },
    );
    const id = await bench.run(null, turn());
    await bench.decide({ decision: "deny", reason: "Too much" });
    await bench.settle(id);
    expect(JSON.stringify(asked[1]?.input)).toContain("Too much");
    expect(bench.events("confirmation.requested")).toHaveLength(1);
    expect(bench.events("call.denied")).toHaveLength(2);
    expect(bench.runOf(id).status).toBe("finished");
  });

  test("survives a crash at every event: the memory knows each thing once, and the user gets one answer", async () => {
    const sayings: Said[] = [
      { native: [native("memory_goals_add", { goal: "sell" }, "g"), native("crm_deal_get", { id: 1 }, "d")] },
      { native: [native("deal_add", {}, "a")] },
      { native: [], text: "Done" },
    ];
    const whole = setupRemembering({ model: scripted(...sayings).model, tools });
    await whole.run(null, turn());
    const expected = memoryOf(whole);
    expect(expected.done).toHaveLength(1);
    for (let count = 1; count < whole.journal.events.length; count++) {
      const bench = setupRemembering({ model: scripted(...sayings).model, tools });
      bench.journal.crashAfter(count);
      void bench.engine.start(request(null, turn())).catch(() => undefined);
      await vi.waitFor(() => expect(bench.journal.hasCrashed).toBe(true));
      const answered = bench.journal.events.filter(({ type }) => type === "model.responded").length;
      const next = setupRemembering({
        model: scripted(...sayings.slice(answered)).model,
        tools: { ...tools, "deal.add": { ...tools["deal.add"], idempotent: true } },
        journal: new MemoryJournal(bench.journal.events, bench.journal.documents),
        clock: bench.clock,
      });
      await next.engine.recover();
      if (next.journal.events.length === 0) continue;
      await next.settle("r");
      const said = spoken(next).map(([role, content]) => `${role}: ${content}`);
      expect(said, `after ${count}`).toEqual(["user: hello", "assistant: Done"]);
      expect({ ...memoryOf(next), done: undefined }, `after ${count}`).toEqual({ ...expected, done: undefined });
      expect(memoryOf(next).done, `after ${count}`).toHaveLength(1);
    }
  });

  test("a failure is told to its user, and a cancel", async () => {
    const { bench } = await talk(new Error("the model is gone"));
    await bench.run(null, turn());
    expect(spoken(bench).at(-1)?.[1]).toContain("the model is gone");
    expect(dialog.speech.cancelled("en")).toBe("cancelled");
  });
});
