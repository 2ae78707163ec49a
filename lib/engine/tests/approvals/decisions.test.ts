import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../session/json/json.ts";
import { InvalidInput, NotFound, Refused } from "../../errors.ts";
import { type Bench, echo, setup, state } from "../../testing/setup.ts";
import type { Activity } from "../../tools/activity.ts";

const risky = { activity: echo, requires_confirmation: true, schema: { properties: { value: { type: "integer" } } } };
const tools = { echo: { activity: echo }, risky };
const plan: JsonObject[] = [
  { _tool: "risky", _id: "a", value: "†state.n", _outputPath: "†state.a" },
  { _tool: "echo", _id: "b", value: "†state.a", _outputPath: "†state.b" },
  { _tool: "echo", _id: "free", value: "other", _outputPath: "†state.free" },
];
const context = [state({ n: 1 })];

/** A run that waits for the decision about `a`. */
async function waiting(more: Parameters<typeof setup>[0] = {}): Promise<{ bench: Bench; id: string }> {
  const bench = setup({ tools, ...more });
  const id = await bench.run(plan, { context });
  return { bench, id };
}

describe("P22: what has to be confirmed", () => {
  test("a tool that says so is parked with its resolved parameters; others go on; the run waits", async () => {
    const { bench, id } = await waiting();
    expect(bench.statuses(id)).toEqual({ a: "parked", b: "planned", free: "succeeded" });
    expect(bench.runOf(id).status).toBe("waiting");
    const [confirmation] = bench.session().confirmations.values();
    expect(confirmation).toMatchObject({
      cause: "risk",
      action: { method: "risky", params: { value: 1 } },
      call_id: "a",
    });
  });

  test("so is a harmless tool's call that names the activity of one", async () => {
    const bench = setup({ tools });
    const id = await bench.run([{ _tool: "echo", _activity: "risky", _id: "x", value: 1 }]);
    expect(bench.statuses(id)).toEqual({ x: "parked" });
  });

  test("it runs when it is approved, by this approval, and what waits for it goes on", async () => {
    const { bench, id } = await waiting();
    await bench.decide({ decision: "approve", reason: "fine" });
    await bench.settle(id);
    expect(bench.statuses(id)).toEqual({ a: "succeeded", b: "succeeded", free: "succeeded" });
    const [confirmation] = bench.session().confirmations.values();
    expect(confirmation).toMatchObject({ status: "approved", decided_by: "operator:ann", reason: "fine" });
    const start = bench.events("call.started").find(({ payload }) => payload.call_id === "a");
    expect(start?.payload.confirmation_id).toBe(confirmation?.id);
    expect(bench.types).toContain("run.resumed");
  });

  test("P1: an edit changes parameters, and nothing else of the call", async () => {
    const { bench, id } = await waiting();
    const action = { method: "risky", params: { value: 1, _outputPath: "†state.elsewhere" } };
    await expect(bench.decide({ decision: "approve", action })).rejects.toThrow("_outputPath is not a parameter");
    expect(bench.statuses(id).a).toBe("parked");
  });

  test("denied, it ends as denied, and what needs it is blocked", async () => {
    const { bench, id } = await waiting();
    await bench.decide({ decision: "deny" });
    await bench.settle(id);
    expect(bench.statuses(id)).toEqual({ a: "denied", b: "blocked", free: "succeeded" });
    expect(bench.call(id, "a").reason).toBe("Denied by operator:ann");
    expect(bench.runOf(id).status).toBe("failed");
  });

  test("in the mode confirm all tools are parked, or the named ones; in execute none that does not say so", async () => {
    const bench = setup({ tools });
    const all = await bench.run([{ _tool: "echo", _id: "x", value: 1 }], { mode: "confirm" });
    expect(bench.statuses(all)).toEqual({ x: "parked" });
    const named = await bench.run(
      [
        { _tool: "echo", _id: "x", value: 1 },
        { _tool: "risky", _id: "y", value: 1 },
      ],
      { mode: "confirm", confirm: ["risky"] },
    );
    expect(bench.statuses(named)).toEqual({ x: "succeeded", y: "parked" });
    await expect(bench.start(plan, { context, mode: "confirm", confirm: ["rsiky"] })).rejects.toThrow(InvalidInput);
  });

  test("in shadow nothing runs and nothing parks: the plan is simulated and kept as planned", async () => {
    const bench = setup({ tools });
    const id = await bench.run(plan, { context, mode: "shadow" });
    expect(bench.statuses(id)).toEqual({ a: "planned", b: "planned", free: "planned" });
    expect(bench.types.filter((type) => type.startsWith("call."))).toEqual([]);
    expect(bench.events("plan.simulated")[0]?.payload.result).toMatchObject({ waves: [["a", "free"], ["b"]] });
    expect(bench.runOf(id)).toMatchObject({ status: "finished", reason: "shadow" });
  });

  test("a call is not asked about before it is ready, and a blocked one never", async () => {
    const bench = setup({ tools: { ...tools, fails: { activity: () => Promise.reject(new Error("no")) } } });
    const id = await bench.run([
      { _tool: "fails", _id: "f", _outputPath: "†state.n" },
      { _tool: "risky", _id: "r", value: "†state.n" },
    ]);
    expect(bench.statuses(id)).toEqual({ f: "failed", r: "blocked" });
    expect(bench.session().confirmations.size).toBe(0);
  });

  test("a parked call holds no slot", async () => {
    const bench = setup({ tools });
    const id = await bench.run(plan, { context, concurrency: 1 });
    expect(bench.statuses(id)).toMatchObject({ a: "parked", free: "succeeded" });
  });
});

describe("P22: the decision", () => {
  test("may change the parameters, which are checked again", async () => {
    const { bench, id } = await waiting();
    const wrong = { decision: "approve" as const, action: { method: "risky", params: { value: "many" } } };
    await expect(bench.decide(wrong)).rejects.toMatchObject({
      code: "invalid_input",
      faults: [{ path: "/action/params/value" }],
    });
    await bench.decide({ decision: "approve", action: { method: "risky", params: { value: 7 } } });
    await bench.settle(id);
    expect(bench.state(id)).toMatchObject({ a: 7, b: 7 });
    expect(bench.call(id, "a").params).toEqual({ value: 7 });
  });

  test("may choose another call, which takes its place", async () => {
    const { bench, id } = await waiting();
    await expect(bench.decide({ decision: "approve", action: { method: "none", params: {} } })).rejects.toThrow(
      InvalidInput,
    );
    await bench.decide({ decision: "approve", action: { method: "echo", params: { value: "†state.n" } } });
    await bench.settle(id);
    // A person's parameters are values: a dagger in them is a dagger.
    expect(bench.state(id)).toMatchObject({ a: "†state.n" });
    expect(bench.call(id, "a").tool).toBe("echo");
  });

  test("the first one stands: the same again changes nothing, another one is refused by name", async () => {
    const { bench, id } = await waiting();
    await bench.decide({ decision: "approve" });
    await bench.settle(id);
    const [confirmation] = [...bench.session().confirmations.values()];
    const before = bench.journal.events.length;
    const again = { reason: null, action: null, result: undefined, actor: "operator:bob" };
    await bench.engine.decide(confirmation?.id ?? "", id, { ...again, decision: "approve" });
    expect(bench.journal.events.length).toBe(before);
    await expect(bench.engine.decide(confirmation?.id ?? "", id, { ...again, decision: "deny" })).rejects.toThrow(
      new Refused("operator:ann has already approved it; decisions are final"),
    );
    await expect(bench.engine.decide("nobody", id, { ...again, decision: "deny" })).rejects.toThrow(NotFound);
  });

  test("two at once: one is taken, the other refused", async () => {
    const { bench, id } = await waiting();
    const [confirmation] = [...bench.session().confirmations.values()];
    const words = { reason: null, action: null, result: undefined };
    const both = await bench.clock.until(
      Promise.allSettled([
        bench.engine.decide(confirmation?.id ?? "", id, { ...words, decision: "deny", actor: "operator:ann" }),
        bench.engine.decide(confirmation?.id ?? "", id, { ...words, decision: "approve", actor: "operator:bob" }),
      ]),
    );
    expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  });

  test("a result goes only with a call that was interrupted", async () => {
    const { bench } = await waiting();
    await expect(bench.decide({ decision: "approve", result: 1 })).rejects.toThrow(InvalidInput);
    await expect(bench.decide({ decision: "deny", result: 1 })).rejects.toThrow(InvalidInput);
  });
});

describe("P22a: one approval allows one execution", () => {
  test("of its parked call, or of the first identical action when that run is gone", async () => {
    const slow: Activity = async () => bench.clock.sleep(10_000).then(() => 1);
    const bench: Bench = setup({ tools: { ...tools, slow: { activity: slow } } });
    const call = { _tool: "risky", _id: "a", value: 1 };
    // The approved call comes too late for the budget, and its run fails before it starts.
    const first = await bench.start([call, { _tool: "slow", _id: "s" }, { _tool: "risky", _id: "never", value: 9 }], {
      budget: { calls: 1 },
      conversation_id: "c",
    });
    while (bench.session().confirmations.size < 2) await bench.clock.until(Promise.resolve());
    await bench.decide({ decision: "approve" }, "a");
    expect(bench.call(first, "a").status).toBe("parked");
    await bench.settle(first);
    expect(bench.runOf(first).status).toBe("failed");

    const other = await bench.run([{ ...call, value: 2 }], { conversation_id: "c" });
    expect(bench.statuses(other)).toEqual({ a: "parked" });
    const elsewhere = await bench.run([call], { conversation_id: "d" });
    expect(bench.statuses(elsewhere)).toEqual({ a: "parked" });
    const same = await bench.run([call, { ...call, _id: "twin" }], { conversation_id: "c" });
    expect(Object.values(bench.statuses(same)).sort()).toEqual(["parked", "succeeded"]);
    const once = await bench.run([call], { conversation_id: "c" });
    expect(bench.statuses(once)).toEqual({ a: "parked" });
  });

  test("a call that says that it is confirmed is parked all the same", async () => {
    const bench = setup({ tools: { risky: { ...risky, schema: {} } } });
    const id = await bench.run([{ _tool: "risky", _id: "a", value: 1, confirmed: true }]);
    expect(bench.statuses(id)).toEqual({ a: "parked" });
  });
});

describe("P23: a call that was interrupted", () => {
  const typed = { activity: echo, idempotent: false, schema: { properties: { _output: { type: "integer" } } } };
  const interrupted: JsonObject[] = [
    { _tool: "typed", _id: "a", value: 1, _outputPath: "†state.a" },
    { _tool: "echo", _id: "b", value: "†state.a", _outputPath: "†state.b" },
  ];

  /** A run whose process died when `a` had started. */
  async function taken(path = "†state.a", activity: Activity = echo): Promise<{ bench: Bench; id: string }> {
    const never = () => new Promise<never>(() => undefined);
    const first = setup({ tools: { ...tools, typed: { ...typed, activity: never } } });
    const id = await first.start(interrupted.map((call) => (call._id === "a" ? { ...call, _outputPath: path } : call)));
    await first.engine.stop();
    const bench = first.successor({ tools: { ...tools, typed: { ...typed, activity } } });
    await bench.clock.until(bench.engine.recover());
    await bench.settle(id);
    return { bench, id };
  }

  test("is parked with what is known, when its tool is not idempotent", async () => {
    const { bench, id } = await taken();
    expect(bench.call(id, "a")).toMatchObject({ status: "parked", reason: "interrupted" });
    const [confirmation] = bench.session().confirmations.values();
    expect(confirmation?.cause).toBe("interrupted");
    expect(confirmation?.description).toContain("had started");
  });

  test("approved, it runs again; denied, it is denied", async () => {
    const again = await taken();
    await again.bench.decide({ decision: "approve" });
    await again.bench.settle(again.id);
    expect(again.bench.state(again.id)).toEqual({ a: 1, b: 1 });
    expect(again.bench.events("call.started").map(({ payload }) => payload.attempt)).toEqual([1, 2, 1]);
    const left = await taken();
    await left.bench.decide({ decision: "deny" });
    await left.bench.settle(left.id);
    expect(left.bench.statuses(left.id)).toEqual({ a: "denied", b: "blocked" });
  });

  test("a result that a person gives is checked, and recorded as its result", async () => {
    const { bench, id } = await taken();
    await expect(bench.decide({ decision: "approve", result: "one" })).rejects.toMatchObject({
      code: "invalid_input",
      faults: [{ path: "/result" }],
    });
    await bench.decide({ decision: "approve", result: 5 });
    await bench.settle(id);
    expect(bench.state(id)).toEqual({ a: 5, b: 5 });
    expect(bench.events("call.started").filter(({ payload }) => payload.call_id === "a")).toHaveLength(1);
    expect(bench.runOf(id).status).toBe("finished");
  });

  test("P10: a result that a person gives chooses where it goes, as an activity's does", async () => {
    const { bench, id } = await taken("†state.a || †state.lost");
    const wrong: JsonObject[] = [{ _path: "†state.a" }, { _path: "†state.none", value: 5 }, { _path: 1, value: 5 }];
    for (const result of wrong) {
      await expect(bench.decide({ decision: "approve", result })).rejects.toMatchObject({
        code: "invalid_input",
        faults: [{ path: "/result" }],
      });
    }
    await bench.decide({ decision: "approve", result: { _path: "†state.lost", value: 5 } });
    await bench.settle(id);
    expect(bench.state(id)).toEqual({ lost: 5 });
    expect(bench.call(id, "a").branch).toBe(1);
    expect(bench.statuses(id)).toEqual({ a: "succeeded", b: "skipped" });
  });

  test("run again with edited parameters, it is another action to those who keep answers by their keys", async () => {
    const keys: string[] = [];
    const keeping: Activity = async ({ value }, _scopes, { idempotency_key }) => {
      keys.push(idempotency_key);
      return value ?? null;
    };
    const same = await taken("†state.a", keeping);
    await same.bench.decide({ decision: "approve" });
    await same.bench.settle(same.id);
    const edited = await taken("†state.a", keeping);
    await edited.bench.decide({ decision: "approve", action: { method: "typed", params: { value: 2 } } });
    await edited.bench.settle(edited.id);
    expect(keys).toEqual([`${same.id}.1.a.`, `${edited.id}.1.a..2`]);
  });
});
