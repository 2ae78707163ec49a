import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../session/json/json.ts";
import { emptySession, fold } from "../../../session/reducer/reducer.ts";
import { EngineContext } from "../../runtime/engine-context.ts";
import { loadTree } from "../../runtime/recover.ts";
import { step } from "../../step/step.ts";
import { failing } from "../../testing/failing.ts";
import { type Bench, echo, input, setup, state, type TestTool } from "../../testing/setup.ts";
import { type Activity, ActivityError } from "../../tools/activity.ts";

const echoTool = { activity: echo };

/** An activity that counts how many run at once, and takes its time. */
function crowd(bench: () => Bench, ms = 100) {
  const seen = { now: 0, most: 0, order: [] as string[] };
  const activity: Activity = async (_params, _scopes, { instance, call_id }) => {
    seen.now += 1;
    seen.most = Math.max(seen.most, seen.now);
    seen.order.push(instance === "" ? call_id : instance);
    await bench().clock.sleep(ms);
    seen.now -= 1;
    return null;
  };
  return { seen, activity };
}

describe("P20: the inner loop", () => {
  const calls = Array.from({ length: 9 }, (_, index): JsonObject => ({ _tool: "work", _id: `c${index}` }));

  test("all that is ready runs at once, up to the limit", async () => {
    const { seen, activity } = crowd(() => bench);
    const bench: Bench = setup({ tools: { work: { activity } } });
    await bench.run(calls, { concurrency: 4 });
    expect(seen.most).toBe(4);
    await bench.run(calls);
    expect(seen.most).toBe(9);
  });

  test("a call that ends as soon as it starts gives its slot back", async () => {
    const bench = setup({ tools: { echo: echoTool, think: {} } });
    const latent = (id: string, more: JsonObject): JsonObject => ({ _tool: "think", _id: id, ...more });
    const id = await bench.run([latent("a", { _output: 1 }), latent("b", {}), { _tool: "echo", _id: "c" }], {
      concurrency: 1,
    });
    expect(bench.statuses(id)).toEqual({ a: "succeeded", b: "failed", c: "succeeded" });
  });

  test("P26: slots are shared out in turn between instances", async () => {
    const { seen, activity } = crowd(() => bench);
    const bench: Bench = setup({ tools: { work: { activity } } });
    await bench.run(calls.slice(0, 3), {
      concurrency: 1,
      context: [state({}, { _instance: "①" }), state({}, { _instance: "②" })],
    });
    expect(seen.order).toEqual(["①", "②", "①", "②", "①", "②"]);
  });

  test("P25: an instance that only an input names is one, and readers know it before it does anything", async () => {
    const bench = setup({ tools: { echo: echoTool } });
    const context = [input({ n: 1 }, { _instance: "①" }), input({ n: 2 }, { _instance: "②" })];
    const id = await bench.run([{ _tool: "echo", _id: "a", value: "†input.n" }], { context, mode: "shadow" });
    expect(bench.statuses(id)).toEqual({ "①/a": "planned", "②/a": "planned" });
    expect(bench.runOf(id).state).toEqual({ "①": {}, "②": {} });
  });

  test("P25, P26: instances run by themselves: one's failure leaves the other running", async () => {
    const picky: Activity = async ({ n }) => {
      if (n === 1) throw new Error("not this one");
      return n ?? null;
    };
    const bench = setup({ tools: { picky: { activity: picky }, echo: echoTool } });
    const id = await bench.run(
      [
        { _tool: "picky", _id: "a", n: "†state.n", _outputPath: "†state.a" },
        { _tool: "echo", _id: "b", value: "†state.a", _outputPath: "†state.b" },
        { _tool: "echo", _id: "only", value: "†state.shared", _instance: "②", _outputPath: "†state.only" },
      ],
      { context: [state({ shared: "all" }), state({ n: 1 }, { _instance: "①" }), state({ n: 2 }, { _instance: "②" })] },
    );
    expect(bench.statuses(id)).toEqual({
      "①/a": "failed",
      "①/b": "blocked",
      "②/a": "succeeded",
      "②/b": "succeeded",
      "②/only": "succeeded",
    });
    expect(bench.runOf(id).state).toEqual({
      "": { shared: "all" },
      "①": { n: 1 },
      "②": { n: 2, a: 2, b: 2, only: "all" },
    });
  });
});

describe("P24: time limits and retries", () => {
  const busy = () => new ActivityError("busy", "try later", { did_not_happen: true });
  const down = () => new ActivityError("down", "no answer", { transient: true });
  const wrong = () => new ActivityError("wrong", "never so");
  const cases: [string, TestTool, () => Error, number][] = [
    ["not idempotent and it did not happen: again", { idempotent: false }, busy, 3],
    ["not idempotent and it may have happened: never", { idempotent: false }, down, 1],
    ["idempotent and transient: again", { idempotent: true }, down, 3],
    ["idempotent and hopeless: never", { idempotent: true }, wrong, 1],
    ["an error that says nothing: never", { idempotent: true }, () => new Error("oh"), 1],
  ];

  test.each(cases)("%s", async (_what, tool, error, expected) => {
    const { tries, activity } = failing(9, error);
    const bench = setup({ tools: { t: { ...tool, activity, retries: 2 } } });
    const id = await bench.run([{ _tool: "t", _id: "a" }]);
    expect(tries).toEqual([1, 2, 3].slice(0, expected));
    expect(bench.statuses(id)).toEqual({ a: "failed" });
    expect(bench.call(id, "a").tries).toHaveLength(expected - 1);
  });

  test("the waits grow, and are told; a try that succeeds ends them; the key stays the same", async () => {
    const keys = new Set<string>();
    const { activity } = failing(3, down);
    const keeping: Activity = (params, scopes, call) => {
      keys.add(call.idempotency_key);
      return activity(params, scopes, call);
    };
    const bench = setup({ tools: { t: { activity: keeping, retries: 5 } } });
    const before = bench.clock.now();
    const id = await bench.run([{ _tool: "t", _id: "a", _outputPath: "†state.a" }]);
    expect(bench.state(id)).toEqual({ a: 1 });
    const waits = bench.events("call.retried").map(({ payload }) => payload.delay_ms ?? 0);
    // Three quarters of the full waits, by the chance that these tests have.
    expect(waits).toEqual([375, 750, 1_500]);
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(250 * 2 ** index);
      expect(wait).toBeLessThanOrEqual(500 * 2 ** index);
    }
    expect(bench.clock.now() - before).toBeGreaterThanOrEqual(waits.reduce((sum, wait) => sum + wait));
    expect([...keys]).toEqual([`${id}.1.a.`]);
  });

  test("the other side's wish to wait is kept", async () => {
    const asked = () => new ActivityError("limit", "slow down", { did_not_happen: true, retry_after_ms: 90_000 });
    const bench = setup({ tools: { t: { activity: failing(1, asked).activity, retries: 1 } } });
    await bench.run([{ _tool: "t", _id: "a" }]);
    expect(bench.events("call.retried")[0]?.payload.delay_ms).toBe(90_000);
  });

  test("what takes too long is told to stop, and fails; its late answer is kept and changes nothing", async () => {
    let told: unknown;
    const slow: Activity = async (_params, _scopes, { signal }) => {
      signal.addEventListener("abort", () => {
        told = signal.reason;
      });
      return bench.clock.sleep(5_000).then(() => "late");
    };
    const bench: Bench = setup({ tools: { t: { activity: slow, timeout_ms: 1_000 } } });
    const id = await bench.run([{ _tool: "t", _id: "a", _outputPath: "†state.a" }]);
    expect(bench.call(id, "a").error).toEqual({ code: "timed_out", message: "It did not respond within 1000 ms" });
    expect(told).toBeInstanceOf(Error);
    await bench.clock.until(bench.clock.sleep(10_000));
    expect(bench.events("log")[0]?.payload).toMatchObject({ call_id: "a", attempt: 1, output: "late" });
    expect(bench.state(id)).toBeUndefined();
  });
});

describe("P21: how a run ends", () => {
  test("finished, though calls were skipped or denied or failed with an alternative", async () => {
    const bench = setup({ tools: { echo: echoTool, risky: { activity: echo, requires_confirmation: true } } });
    const id = await bench.run([
      { _tool: "risky", _id: "r" },
      { _tool: "echo", _id: "a", _outputPath: "†state.a" },
    ]);
    await bench.decide({ decision: "deny" });
    await bench.settle(id);
    expect(bench.runOf(id).status).toBe("finished");
  });

  test("without calls it ends at once", async () => {
    const bench = setup();
    expect(bench.runOf(await bench.run([])).status).toBe("finished");
  });
});

describe("P23: what is told", () => {
  test("a tick's events go in one append: a wave's ends and the starts that they unblock", async () => {
    const wave = (from: string[], to: string): JsonObject[] =>
      Array.from({ length: 5 }, (_, index) => ({
        ...{ _tool: "echo", _id: `${to}${index}`, value: 1, needs: from.map((name) => `†state.${name}`) },
        _outputPath: `†state.${to}${index}`,
      }));
    const first = wave([], "a");
    const second = wave(
      first.map(({ _id }) => String(_id)),
      "b",
    );
    const bench = setup({ tools: { echo: echoTool } });
    await bench.run([...first, ...second]);
    // The beginning with the first starts; the first ends with the second starts; the second ends with the run's.
    expect(bench.journal.batches).toHaveLength(3);
  });

  test("an activity starts only when its start is on disk, and the log never tells less than was done", async () => {
    const seen: boolean[] = [];
    const look: Activity = async (_params, _scopes, { call_id }) => {
      seen.push(bench.events("call.started").some(({ payload }) => payload.call_id === call_id));
      return null;
    };
    const bench: Bench = setup({ tools: { look: { activity: look } } });
    await bench.run([
      { _tool: "look", _id: "a", _outputPath: "†state.a" },
      { _tool: "look", _id: "b", n: "†state.a" },
    ]);
    expect(seen).toEqual([true, true]);
  });

  test("an append that fails is made again, and the run goes on", async () => {
    const bench = setup({ tools: { echo: echoTool } });
    const append = bench.journal.append.bind(bench.journal);
    let failures = 0;
    bench.journal.append = async (events) => {
      if (failures++ === 1) throw new Error("the disk is full");
      return append(events);
    };
    const id = await bench.run([{ _tool: "echo", _id: "a", value: 1, _outputPath: "†state.a" }]);
    expect(bench.runOf(id).status).toBe("finished");
    expect(bench.logged).toHaveLength(1);
  });

  test("E7: readers' session and the run's own state are the same, call by call", async () => {
    const { activity } = failing(1, () => new Error("oh"));
    const options = {
      tools: {
        ...{ echo: echoTool, flaky: { activity }, hand: {}, big: { activity: async () => "x".repeat(100) } },
        risky: { activity: echo, requires_confirmation: true },
      },
      delegates: [{ name: "worker", plan: [{ _tool: "echo", _id: "w", value: "†input.n", _outputPath: "†state.w" }] }],
    };
    const bench = setup(options);
    const id = await bench.run(
      [
        { _tool: "flaky", _id: "f", _outputPath: "†state.f" },
        { _tool: "echo", _id: "g", value: "†state.f", _outputPath: "†state.g" },
        { _tool: "hand", _id: "h", _delegate: "worker", n: 1, _outputPath: "†state.h.i" },
        { _tool: "risky", _id: "r", value: "†state.h", _outputPath: "†state.r || †state.error" },
      ],
      { context: [state({ begin: { a: 1 } }), state({}, { _instance: "①" }), state({ n: 2 }, { _instance: "②" })] },
    );
    await bench.approveAll();
    await bench.settle(id);
    await bench.clock.until(bench.engine.resume(id, [], "operator:ann"));
    await bench.settle(id);

    const { runs, calls, warnings } = fold(emptySession(null), bench.journal.events);
    expect(warnings).toEqual([]);
    const ports = { journal: bench.journal, clock: bench.clock };
    const tree = await loadTree(houseWith(ports), id);
    for (const [runId, own] of tree.runs) {
      expect(runs.get(runId)?.status).toBe(own.status);
      expect(runs.get(runId)?.state).toEqual(Object.fromEntries(own.states));
      for (const call of own.calls()) {
        const told = [...calls.values()].find(
          (each) => each.run_id === runId && each.id === call.call_id && each.instance === call.instance,
        );
        expect({ status: told?.status, handled: told?.handled }).toEqual({
          status: call.status,
          handled: call.handled,
        });
      }
    }
    expect(tree.runs.size).toBe(3);
  });
});

/** An engine context of which only the log and the time are used. */
function houseWith({ journal, clock }: Pick<Bench, "journal" | "clock">): EngineContext {
  const none = () => {
    throw new Error("is not used here");
  };
  return new EngineContext(
    {
      ...{
        journal,
        clock,
        random: () => 0.5,
        ownership: null,
        model: null,
        talker: null,
        memory: null,
        dialog: null,
        director: null,
        drafts: null,
        isolation: null,
        allowance: null,
        runs_at_once: Number.POSITIVE_INFINITY,
        checker: { faults: () => [], refusal: () => null, bounded: none },
        plan_threads: null,
      },
      tools: { list: () => [], find: none, activity: none, make: none, register: none, sealed: none },
      delegates: { list: () => [], find: none, register: none },
      prompts: { fill: none, tell: none },
      logger: { warn: none, error: none },
    },
    { planner: null, talker: null },
    step,
  );
}
