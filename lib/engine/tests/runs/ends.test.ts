import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../session/json/json.ts";
import { NotFound, Refused } from "../../errors.ts";
import { failing } from "../../testing/failing.ts";
import { type Bench, echo, setup, type TestTool } from "../../testing/setup.ts";
import type { Activity } from "../../tools/activity.ts";

const echoTool = { activity: echo };

describe("P24: cancel", () => {
  test("nothing further starts, what runs is told, what is asked is closed, and every open call says why", async () => {
    const signals: AbortSignal[] = [];
    const slow: Activity = async (_params, _scopes, { signal }) => {
      signals.push(signal);
      return bench.clock.sleep(1_000).then(() => 1);
    };
    const bench: Bench = setup({
      tools: { slow: { activity: slow }, risky: { activity: echo, requires_confirmation: true } },
    });
    const id = await bench.start([
      { _tool: "slow", _id: "runs", _outputPath: "†state.a" },
      { _tool: "slow", _id: "later", n: "†state.a" },
      { _tool: "risky", _id: "asked" },
    ]);
    while (bench.session().confirmations.size === 0) await bench.clock.until(Promise.resolve());
    await bench.clock.until(bench.engine.cancel(id, "operator:ann"));
    expect(bench.statuses(id)).toEqual({ runs: "cancelled", later: "cancelled", asked: "cancelled" });
    expect(bench.runOf(id)).toMatchObject({ status: "cancelled", reason: "Cancelled by operator:ann" });
    expect([...bench.session().confirmations.values()]).toMatchObject([{ status: "denied", decided_by: "system" }]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    const told = bench.journal.events.length;
    await bench.clock.until(bench.engine.cancel(id, "operator:ann"));
    await bench.clock.until(bench.clock.sleep(5_000));
    // The late answer, and nothing else.
    expect(bench.types.slice(told)).toEqual(["log"]);
  });

  test("is refused when the run has ended otherwise, and unknown runs are unknown", async () => {
    const bench = setup({ tools: { echo: echoTool } });
    const id = await bench.run([{ _tool: "echo", _id: "a" }]);
    await expect(bench.engine.cancel(id, "operator:ann")).rejects.toThrow(Refused);
    await expect(bench.engine.cancel("nobody", "operator:ann")).rejects.toThrow(NotFound);
  });
});

describe("P24: a failed run is resumed", () => {
  const plan: JsonObject[] = [
    { _tool: "flaky", _id: "a", _outputPath: "†state.a" },
    { _tool: "echo", _id: "b", value: "†state.a", _outputPath: "†state.b" },
    { _tool: "echo", _id: "c", value: "†state.b" },
    { _tool: "echo", _id: "fine", value: 1, _outputPath: "†state.fine" },
    { _tool: "echo", _id: "branch", value: "††state.y", path: "††state.y", _outputPath: "†state.x || †state.y" },
    { _tool: "echo", _id: "skipped", value: "†state.x" },
  ];

  test("failed calls and those blocked for want of them run again; what succeeded or was skipped stays", async () => {
    const { tries, activity } = failing(1, () => new Error("oh"));
    const bench = setup({ tools: { flaky: { activity }, echo: echoTool } });
    const id = await bench.run(plan);
    expect(bench.statuses(id)).toMatchObject({ a: "failed", b: "blocked", c: "blocked", skipped: "skipped" });
    await bench.clock.until(bench.engine.resume(id, [], "operator:ann"));
    await bench.settle(id);
    expect(bench.statuses(id)).toEqual({
      ...{ a: "succeeded", b: "succeeded", c: "succeeded", fine: "succeeded", branch: "succeeded", skipped: "skipped" },
    });
    expect(bench.state(id)).toEqual({ a: 1, b: 1, fine: 1, y: "†state.y" });
    expect(tries).toEqual([1, 2]);
    expect(bench.runOf(id).status).toBe("finished");
    expect(bench.events("run.resumed")[0]?.payload.calls?.map(({ call_id }) => call_id)).toEqual(["a", "b", "c"]);
  });

  test("by another process, too", async () => {
    const first = setup({ tools: { flaky: { activity: failing(1, () => new Error("oh")).activity }, echo: echoTool } });
    const id = await first.run(plan);
    const bench = first.successor({ tools: { flaky: echoTool, echo: echoTool } });
    await bench.clock.until(bench.engine.resume(id, [{ call_id: "a", iteration: 1, instance: "" }], "operator:ann"));
    await bench.settle(id);
    expect(bench.runOf(id).status).toBe("finished");
  });

  test("while others still run", async () => {
    const { activity } = failing(1, () => new Error("oh"));
    const slow: Activity = () => bench.clock.sleep(1_000).then(() => 1);
    const bench: Bench = setup({ tools: { flaky: { activity }, slow: { activity: slow } } });
    const id = await bench.start([
      { _tool: "flaky", _id: "a" },
      { _tool: "slow", _id: "s" },
    ]);
    while (bench.call(id, "a").status !== "failed") await bench.clock.until(Promise.resolve());
    await bench.clock.until(bench.engine.resume(id, [], "operator:ann"));
    await bench.settle(id);
    expect(bench.statuses(id)).toEqual({ a: "succeeded", s: "succeeded" });
  });

  test("is refused where there is nothing to run again", async () => {
    const bench = setup({ tools: { echo: echoTool, flaky: { activity: failing(9, () => new Error("oh")).activity } } });
    const good = await bench.run([{ _tool: "echo", _id: "a" }]);
    await expect(bench.clock.until(bench.engine.resume(good, [], "operator:ann"))).rejects.toThrow(Refused);
    const bad = await bench.run(plan);
    const named = [{ call_id: "fine", iteration: 1, instance: "" }];
    await expect(bench.clock.until(bench.engine.resume(bad, named, "operator:ann"))).rejects.toThrow(
      "The call fine cannot be retried: it is succeeded",
    );
    await expect(bench.engine.resume("nobody", [], "operator:ann")).rejects.toThrow(NotFound);
  });
});

describe("P24: a budget", () => {
  const chain = ["a", "b", "c"].map((id, index): JsonObject & { _tool: string } => ({
    _tool: "slow",
    _id: id,
    ...(index === 0 ? {} : { value: `†state.${"abc"[index - 1]}` }),
    _outputPath: `†state.${id}`,
  }));
  const slow = (bench: () => Bench): TestTool => ({
    activity: () =>
      bench()
        .clock.sleep(1_000)
        .then(() => 1),
  });

  test("of calls: when it is spent nothing further starts, the run ends and says how to go on; resumed, it goes on", async () => {
    const bench: Bench = setup({ tools: { slow: slow(() => bench) } });
    const id = await bench.run(chain, { budget: { calls: 2 } });
    expect(bench.statuses(id)).toEqual({ a: "succeeded", b: "succeeded", c: "cancelled" });
    expect(bench.runOf(id).error).toMatchObject({ code: "budget_spent" });
    expect(JSON.stringify(bench.runOf(id).error)).toContain("budget of 2 calls; resume it");
    await bench.clock.until(bench.engine.resume(id, [], "operator:ann"));
    await bench.settle(id);
    expect(bench.statuses(id)).toEqual({ a: "succeeded", b: "succeeded", c: "succeeded" });
  });

  test("that suffices is no matter", async () => {
    const bench: Bench = setup({ tools: { slow: slow(() => bench) } });
    const id = await bench.run(chain, { budget: { calls: 3, time_ms: 60_000 } });
    expect(bench.runOf(id).status).toBe("finished");
  });

  test("of time: what runs is told to stop", async () => {
    const bench: Bench = setup({ tools: { slow: slow(() => bench) } });
    const id = await bench.run(chain, { budget: { time_ms: 1_500 } });
    expect(bench.statuses(id)).toEqual({ a: "succeeded", b: "cancelled", c: "cancelled" });
    expect(bench.runOf(id).error).toMatchObject({ code: "budget_spent" });
  });

  test("of time: waiting for a person costs none", async () => {
    const bench: Bench = setup({
      tools: { slow: slow(() => bench), risky: { activity: echo, requires_confirmation: true } },
    });
    const id = await bench.run([{ _tool: "risky", _id: "r", value: 1, _outputPath: "†state.r" }], {
      budget: { time_ms: 1_500 },
    });
    await bench.clock.until(bench.clock.sleep(3_600_000));
    await bench.decide({ decision: "approve" });
    await bench.settle(id);
    expect(bench.runOf(id).status).toBe("finished");
  });

  test("of time: after that it counts on", async () => {
    const bench: Bench = setup({
      tools: { slow: slow(() => bench), risky: { activity: echo, requires_confirmation: true } },
    });
    const plan: JsonObject[] = [{ _tool: "risky", _id: "r", value: 1, _outputPath: "†state.r" }];
    const id = await bench.run([...plan, ...chain.map((call) => ({ ...call, after: "†state.r" }))], {
      budget: { time_ms: 1_500 },
    });
    await bench.clock.until(bench.clock.sleep(3_600_000));
    await bench.decide({ decision: "approve" });
    await bench.settle(id);
    expect(bench.statuses(id)).toEqual({ r: "succeeded", a: "succeeded", b: "cancelled", c: "cancelled" });
  });

  test("is the delegates', too", async () => {
    const bench: Bench = setup({
      tools: { slow: slow(() => bench), hand: {} },
      delegates: [{ name: "worker", plan: chain }],
    });
    const id = await bench.run(
      [{ _tool: "hand", _id: "h", _delegate: "worker", _outputPath: "†state.h || †state.error" }],
      {
        budget: { calls: 3 },
      },
    );
    expect(bench.statuses(id)).toEqual({ h: "cancelled" });
    expect(bench.runOf(id).error).toMatchObject({ code: "budget_spent" });
    expect(bench.events("call.started")).toHaveLength(3);
  });
});
