import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../session/json/json.ts";
import { Halted, Refused } from "../../errors.ts";
import { failing } from "../../testing/failing.ts";
import { scripted } from "../../testing/scripted.ts";
import { type Bench, echo, input, setup, state } from "../../testing/setup.ts";
import { type Activity, ActivityError } from "../../tools/activity.ts";

const never: Activity = () => new Promise(() => undefined);
const value = { properties: { value: {} } };

/** Lets all that can go on without time go on. */
async function now(bench: Bench): Promise<void> {
  for (let turns = 0; turns < 3; turns++) await bench.clock.until(Promise.resolve());
}

describe("P24: what comes together with a cancel", () => {
  test("a result that arrives in the same tick is kept, and nothing is started by it", async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const bench = setup({ tools: { slow: { activity: () => promise }, echo: { activity: echo } } });
    const id = await bench.start([
      { _tool: "slow", _id: "a", _outputPath: "†state.a" },
      { _tool: "echo", _id: "b", value: "†state.a" },
    ]);
    resolve(1);
    await bench.clock.until(bench.engine.cancel(id, "operator:ann"));
    expect(bench.runOf(id).status).toBe("cancelled");
    expect(bench.statuses(id)).toMatchObject({ b: "cancelled" });
    expect(bench.events("call.started").map(({ payload }) => payload.call_id)).toEqual(["a"]);
  });

  test("a wish to resume does not undo it", async () => {
    const bench = setup({
      tools: { flaky: { activity: failing(1, () => new Error("oh")).activity }, slow: { activity: never }, hand: {} },
      delegates: [{ name: "worker", plan: [{ _tool: "slow", _id: "s" }] }],
    });
    const id = await bench.start([
      { _tool: "flaky", _id: "f" },
      { _tool: "hand", _id: "h", _delegate: "worker" },
    ]);
    await now(bench);
    const both = await bench.clock.until(
      Promise.allSettled([bench.engine.cancel(id, "operator:ann"), bench.engine.resume(id, [], "operator:bob")]),
    );
    expect(both).toMatchObject([{ status: "fulfilled" }, { status: "rejected", reason: expect.any(Refused) }]);
    expect(bench.runOf(id).status).toBe("cancelled");
    expect(bench.statuses(id)).toEqual({ f: "failed", h: "cancelled" });
  });

  test("a try that waits for its time does not come when the budget ends the run", async () => {
    const { tries, activity } = failing(9, () => new ActivityError("busy", "later", { did_not_happen: true }));
    const bench = setup({ tools: { busy: { activity, retries: 5 } } });
    const id = await bench.run([{ _tool: "busy", _id: "a" }], { budget: { time_ms: 1_000 } });
    await bench.clock.until(bench.clock.sleep(100_000));
    expect(bench.statuses(id)).toEqual({ a: "cancelled" });
    expect(bench.runOf(id).error).toMatchObject({ code: "budget_spent" });
    expect(tries.length).toBeLessThan(4);
  });
});

describe("P23: a log that cannot be written", () => {
  /** A run with a delegate's run under way, whose log takes nothing from now on. */
  async function broken(): Promise<{ bench: Bench; id: string; go: () => void }> {
    const { promise, resolve } = Promise.withResolvers<number>();
    const bench = setup({
      tools: { slow: { activity: () => promise }, hand: {} },
      delegates: [{ name: "worker", plan: [{ _tool: "slow", _id: "s" }] }],
    });
    const id = await bench.start([{ _tool: "hand", _id: "h", _delegate: "worker" }]);
    await now(bench);
    bench.journal.append = () => Promise.reject(new Error("the disk is full"));
    return { bench, id, go: () => resolve(1) };
  }

  test("does not keep the server from stopping: what is under way is tried once more, at once", async () => {
    const { bench, id } = await broken();
    const cancelling = bench.engine.cancel(id, "operator:ann");
    await new Promise((resolve) => setImmediate(resolve));
    // No time passes.
    const both = await Promise.allSettled([cancelling, bench.engine.stop()]);
    expect(both).toMatchObject([{ status: "rejected", reason: expect.any(Halted) }, { status: "fulfilled" }]);
  });

  test("P27: a delegate's run that stands still does so with its parent, and both go on from the log", async () => {
    const { bench, id, go } = await broken();
    const { append } = Object.getPrototypeOf(bench.journal);
    go();
    await bench.clock.until(bench.engine.settled(id));
    expect(bench.logged.at(-1)).toContain("halted");
    bench.journal.append = append;
    // A person's wish has it taken up: the delegate's call is run again by the log, and once.
    await bench.clock.until(bench.engine.cancel(id, "operator:ann"));
    expect(bench.runOf(id).status).toBe("cancelled");
    expect(bench.events("run.cancelled")).toHaveLength(2);
  });
});

describe("P19: an iteration's end", () => {
  test("an output that needs what never came is told, though its calls succeeded", async () => {
    const plan = [{ _tool: "echo", _id: "a", value: 1, _outputPath: "†state.a || †state.b" }];
    const { model, asked } = scripted({ calls: plan, output: "†state.b" }, { calls: [], output: "†state.a" });
    const bench = setup({ tools: { echo: { activity: echo, schema: value } }, model });
    const id = await bench.run(null);
    expect(JSON.stringify(asked[1]?.input)).toContain("which does not exist");
    expect(bench.runOf(id)).toMatchObject({ status: "finished", iteration: 2 });
  });

  test("an output with a failure that went to its alternative ends the run", async () => {
    const fails: Activity = () => Promise.reject(new Error("no"));
    const plan = [{ _tool: "fails", _id: "a", _outputPath: "†state.a || †state.error" }];
    const { model, asked } = scripted({ calls: plan, output: "†state.a || †state.error.message" });
    const bench = setup({ tools: { fails: { activity: fails, schema: {} } }, model });
    await bench.run(null);
    expect(bench.events("run.finished")[0]?.payload.output).toBe("no");
    expect(asked).toHaveLength(1);
  });

  test("the limit waits for what is parked, and only then ends the run", async () => {
    const risky = { activity: echo, schema: value, requires_confirmation: true };
    const { model } = scripted({ calls: [{ _tool: "risky", _id: "a", value: 1 }] });
    const bench = setup({ tools: { risky }, model });
    const id = await bench.run(null, { max_iterations: 1 });
    expect(bench.runOf(id).status).toBe("waiting");
    await bench.decide({ decision: "approve" });
    await bench.settle(id);
    expect(bench.statuses(id)).toEqual({ a: "succeeded" });
    expect(bench.runOf(id).error).toMatchObject({ code: "iteration_limit" });
  });

  test("P19a: native calls beside a plan are calls of the same iteration, wired with it", async () => {
    const native = { call_id: "n", name: "echo", arguments: '{"value":"†state.a","_outputPath":"†state.b"}' };
    const text = JSON.stringify({ calls: [{ _tool: "echo", _id: "a", value: 7, _outputPath: "†state.a" }] });
    const { model, asked } = scripted({ native: [native], text }, { calls: [] });
    const bench = setup({ tools: { echo: { activity: echo, schema: value } }, model });
    const id = await bench.run(null);
    expect(bench.state(id)).toEqual({ a: 7, b: 7 });
    expect(asked[1]?.input).toContainEqual({ type: "function_call_output", call_id: "n", output: "7" });
  });

  test("names that no event can hold are told to the model, and the run goes on", async () => {
    const long = "x".repeat(300);
    const { model, asked } = scripted(
      {
        calls: [
          { _tool: long, _id: long },
          { _tool: "a\nb", _id: ".." },
        ],
      },
      { calls: [], output: 1 },
    );
    const bench = setup({ tools: { echo: { activity: echo, schema: value } }, model });
    const id = await bench.run(null);
    expect(asked).toHaveLength(2);
    expect(bench.logged).toEqual([]);
    expect(bench.runOf(id).status).toBe("finished");
  });

  test("P19b: the same output path written in other words is the same", async () => {
    const call = { _tool: "echo", _id: "a", value: 1, _outputPath: "†state.a||†state.b" };
    const { model } = scripted(
      { calls: [call] },
      { calls: [{ ...call, _outputPath: "†state.a  || †state.b" }] },
      {
        calls: [],
      },
    );
    const bench = setup({ tools: { echo: { activity: echo, schema: value } }, model });
    const id = await bench.run(null);
    expect(bench.call(id, "a")).toMatchObject({ iteration: 2, status: "skipped", reason: "Already done" });
  });
});

describe("P14b, P25: instances that share a global state", () => {
  test("each writes what is in the global state only over it, and sees its own alone", async () => {
    const bench = setup({ tools: { echo: { activity: echo } } });
    const plan: JsonObject[] = [
      { _tool: "echo", _id: "a", value: "†input.n", _outputPath: "†state.shared.own" },
      { _tool: "echo", _id: "b", value: "†state.shared", _outputPath: "†state.seen" },
    ];
    const context = [
      state({ shared: { all: 0, own: "global" } }),
      input({ n: 1 }, { _instance: "①" }),
      input({ n: 2 }, { _instance: "②" }),
    ];
    const id = await bench.run(plan, { context });
    expect(bench.runOf(id).state).toEqual({
      "": { shared: { all: 0, own: "global" } },
      "①": { shared: { own: 1 }, seen: { all: 0, own: 1 } },
      "②": { shared: { own: 2 }, seen: { all: 0, own: 2 } },
    });
  });
});

describe("P23: a stop while the disk is full", () => {
  test("tells what tools have answered meanwhile, all of it", async () => {
    const [first, second] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
    const bench = setup({
      tools: {
        first: { activity: () => first.promise },
        second: { activity: () => second.promise },
      },
    });
    await bench.start([
      { _tool: "first", _id: "a" },
      { _tool: "second", _id: "b" },
    ]);
    await now(bench);
    const { append } = bench.journal;
    bench.journal.append = () => Promise.reject(Object.assign(new Error("full"), { code: "storage_full" }));
    first.resolve(1);
    await now(bench);
    second.resolve(2);
    await now(bench);
    expect(bench.events("call.succeeded")).toEqual([]);
    // What is kept in reserve is released.
    bench.journal.append = append;
    await bench.engine.stop();
    expect(bench.events("call.succeeded").map(({ payload }) => payload.call_id)).toEqual(["a", "b"]);
  });
});
