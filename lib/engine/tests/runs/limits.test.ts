import { describe, expect, test } from "vitest";
import type { NewEvent } from "../../../../db/repositories.ts";
import type { JsonObject } from "../../../session/json/json.ts";
import { MemoryJournal } from "../../testing/memory-journal.ts";
import { echo, setup } from "../../testing/setup.ts";
import type { Activity } from "../../tools/activity.ts";

const never: Activity = () => new Promise(() => undefined);

/** A journal on a disk that is full for a number of appends. */
class FullJournal extends MemoryJournal {
  full = 0;

  override async append(events: NewEvent[]): Promise<void> {
    if (this.full > 0) {
      this.full -= 1;
      throw Object.assign(new Error("The disk is full"), { code: "storage_full" });
    }
    await super.append(events);
  }
}

describe("P23: a full disk", () => {
  const plan: JsonObject[] = [
    { _tool: "fill", _id: "a", value: 1, _outputPath: "†state.a" },
    { _tool: "echo", _id: "b", value: "†state.a", _outputPath: "†state.b" },
  ];

  test("is waited out, however long: the result that came meanwhile is not lost, and the run goes on by itself", async () => {
    const journal = new FullJournal();
    const fill: Activity = async (params) => {
      journal.full = 50;
      return echo(params, [], CALL);
    };
    const bench = setup({ journal, tools: { fill: { activity: fill }, echo: { activity: echo } } });
    const id = await bench.run(plan);
    expect(bench.state(id)).toEqual({ a: 1, b: 1 });
    expect(bench.types.filter((type) => type === "call.started")).toHaveLength(2);
    expect(bench.runOf(id).status).toBe("finished");
  });

  test("a run that cannot begin is refused at once, and never begins", async () => {
    const journal = new FullJournal();
    journal.full = 1;
    const bench = setup({ journal, tools: { fill: { activity: echo }, echo: { activity: echo } } });
    await expect(bench.start(plan)).rejects.toMatchObject({ code: "storage_full" });
    await pass(bench.clock, 60_000);
    const id = await bench.run(plan);
    expect(bench.events("run.started").map(({ run_id }) => run_id)).toEqual([id]);
  });

  test("whoever decides is told at once; the decision counts when there is room, and the same one again is none", async () => {
    const journal = new FullJournal();
    const bench = setup({ journal, tools: { risky: { activity: echo, requires_confirmation: true } } });
    const id = await bench.run([{ _tool: "risky", _id: "a", value: 1, _outputPath: "†state.a" }]);
    const [confirmation] = bench.session().confirmations.values();
    journal.full = 20;
    await expect(bench.decide({ decision: "approve" })).rejects.toMatchObject({ code: "storage_full" });
    await bench.settle(id);
    expect(bench.state(id)).toEqual({ a: 1 });
    const again = {
      decision: "approve" as const,
      reason: null,
      action: null,
      result: undefined,
      actor: "operator:ann",
    };
    await bench.clock.until(bench.engine.decide(confirmation?.id ?? "", id, again));
    expect(bench.events("call.started")).toHaveLength(1);
  });
});

test("P27: delegates that call several each come to a clear end", async () => {
  const calls = Array.from({ length: 6 }, (_, at): JsonObject => ({ _tool: "echo", _id: `f${at}`, _delegate: "fan" }));
  const fan = { name: "fan", max_depth: 7, plan: calls.map((call) => ({ ...call, _tool: "echo" })) };
  const bench = setup({ tools: { echo: { activity: echo } }, delegates: [fan] });
  const id = await bench.run([{ _tool: "echo", _id: "a", _delegate: "fan" }]);
  expect(bench.runOf(id).status).toBe("failed");
  const refused = bench.events("call.failed").find(({ payload }) => payload.error?.code === "too_many_delegates");
  expect(refused?.payload.error?.message).toContain("2000 delegate runs");
  expect(bench.events("run.started").length).toBeLessThan(2_500);
});

test("P24: the time without a process is none of the run's, however often the server is started again", async () => {
  const tools = { slow: { activity: never, idempotent: true, timeout_ms: 1_000_000 } };
  let bench = setup({ tools });
  const id = await bench.start([{ _tool: "slow", _id: "a", value: 1 }], { budget: { time_ms: 8_000 } });
  for (let restarts = 0; restarts < 3; restarts++) {
    await bench.clock.until(Promise.resolve());
    await bench.engine.stop();
    await pass(bench.clock, 9_000);
    bench = bench.successor({ tools });
    await bench.clock.until(bench.engine.recover());
  }
  expect(bench.runOf(id).status).toBe("running");
  await bench.settle(id);
  expect(bench.runOf(id)).toMatchObject({ status: "failed", error: { code: "budget_spent" } });
});

describe("P2a, P27: a call that names another tool's activity", () => {
  const danger = { activity: echo, schema: { properties: { value: { type: "integer" } } } };

  test("cannot use what its delegate may not", async () => {
    const inside = {
      name: "inside",
      tools: ["safe"],
      plan: [{ _tool: "safe", _id: "x", _activity: "danger", value: 1 }],
    };
    const bench = setup({ tools: { safe: { activity: echo }, danger }, delegates: [inside] });
    await bench.run([{ _tool: "safe", _id: "a", _delegate: "inside" }]);
    expect(bench.events("call.failed")[0]?.payload.error?.code).toBe("unknown_activity");
  });

  test("has to fit that tool's schema, too", async () => {
    const bench = setup({ tools: { safe: { activity: echo }, danger } });
    const call = { _tool: "safe", _id: "x", _activity: "danger", value: "one" };
    await expect(bench.run([call])).rejects.toMatchObject({
      code: "invalid_plan",
      problems: [{ code: "invalid_params", message: expect.stringContaining("required by the activity danger") }],
    });
    const given = { _tool: "safe", _id: "given", value: "one", _outputPath: "†state.given" };
    const id = await bench.run([given, { ...call, value: "†state.given" }]);
    expect(bench.call(id, "x").error?.code).toBe("invalid_params");
  });

  test("P22: is asked about where that tool is", async () => {
    const bench = setup({ tools: { safe: { activity: echo }, danger } });
    const plan = [{ _tool: "safe", _id: "x", _activity: "danger", value: 1 }];
    const id = await bench.run(plan, { mode: "confirm", confirm: ["danger"] });
    expect(bench.statuses(id)).toEqual({ x: "parked" });
  });
});

/** Lets time pass. */
async function pass(
  clock: { later(ms: number, act: () => void): unknown; until<T>(done: Promise<T>): Promise<T> },
  ms: number,
) {
  await clock.until(new Promise<void>((resolve) => void clock.later(ms, resolve)));
}

const CALL = {
  ...{ conversation_id: "c", run_id: "r", iteration: 1, call_id: "a", instance: "", tool: "fill", attempt: 1 },
  idempotency_key: "k",
  signal: new AbortController().signal,
  report: () => undefined,
};
