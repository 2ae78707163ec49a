import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../session/json/json.ts";
import type { RunRequest } from "../../engine.ts";
import { InvalidPlan } from "../../errors.ts";
import type { Model, ModelPart, ModelRequest } from "../../model.ts";
import { failing } from "../../testing/failing.ts";
import { MemoryJournal } from "../../testing/memory-journal.ts";
import { acting, scenario } from "../../testing/scenario.ts";
import { streamed } from "../../testing/scripted.ts";
import { type Bench, echo, input, type SetupOptions, setup, state } from "../../testing/setup.ts";
import { type Activity, ActivityError } from "../../tools/activity.ts";

/** A run that is started, and taken up by one process after another. */
interface Play {
  options: SetupOptions;
  plan: JsonObject[] | null;
  request: Partial<RunRequest>;
}

/** How a run ended, without what only tells how it got there. */
interface End {
  status: string;
  states: unknown;
  calls: Record<string, string>;
}

/** Plays a run whose processes die when the log has so many events; persons approve whatever waits. */
async function play(
  { options, plan, request }: Play,
  deaths: readonly number[],
): Promise<{ end: End; events: number; asked: string[] }> {
  const asked: string[] = [];
  let journal = new MemoryJournal();
  let bench = setup({ ...options, journal });
  let begun = false;
  for (const death of [...deaths, Number.POSITIVE_INFINITY]) {
    journal.crashAfter(death);
    try {
      if (begun) await bench.clock.until(bench.engine.recover());
      else {
        await bench.start(plan, request);
        begun = true;
      }
      await goToTheEnd(bench, asked);
      expect(bench.logged).toEqual([]);
      return { end: endOf(bench), events: journal.events.length, asked };
    } catch (error) {
      if (!journal.hasCrashed) throw error;
      begun ||= journal.events.length > 0;
      journal = new MemoryJournal(journal.events);
      bench = setup({ ...options, journal });
    }
  }
  throw new Error("the last process dies of nothing");
}

async function goToTheEnd(bench: Bench, asked: string[]): Promise<void> {
  for (;;) {
    const root = bench.events("run.started").find(({ parent_run_id }) => parent_run_id === null)?.run_id ?? "";
    await bench.settle(root);
    if (bench.runOf(root).status !== "waiting") return;
    for (const { call_id, cause } of await bench.approveAll()) asked.push(`${cause}:${call_id}`);
  }
}

function endOf(bench: Bench): End {
  const { runs, calls } = bench.session();
  const root = [...runs.values()].find(({ parent_run_id }) => parent_run_id === null);
  if (!root) throw new Error("no run");
  const names = [...calls.values()].filter(({ run_id }) => run_id === root.id);
  return {
    status: root.status,
    states: root.state,
    calls: Object.fromEntries(
      names.map(({ iteration, instance, id, status, branch }) => [
        `${iteration}/${instance}/${id}`,
        `${status} ${branch}`,
      ]),
    ),
  };
}

/** A model that streams one plan, and ends when it hears what came of it. */
function planning(calls: JsonObject[]): Model {
  async function* respond({ input }: ModelRequest): AsyncIterable<ModelPart> {
    const isOver = input.some(({ content }) => /"kind":"plan"|"error":/.test(String(content)));
    yield* streamed(isOver ? { calls: [], output: 1 } : { calls });
  }
  return { model: "m", provider: "p", respond };
}

/** How often each call's activity ran in all, whichever process it ran in. */
function counting(activity: Activity, ran: Map<string, number>): Activity {
  return (params, scopes, call) => {
    ran.set(call.idempotency_key, (ran.get(call.idempotency_key) ?? 0) + 1);
    return activity(params, scopes, call);
  };
}

describe("P23: a run whose process dies at any point", () => {
  test("ends as an undisturbed one, when its tools are idempotent", async () => {
    await fc.assert(
      fc.asyncProperty(
        scenario,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 4 }),
        async (given, deaths) => {
          const names = [...given.initial.keys()];
          const context = names.map((name) =>
            state(given.initial.get(name) ?? {}, name === "" ? {} : { _instance: name }),
          );
          const whole: Play = {
            options: { tools: { act: { activity: acting(given), idempotent: true } } },
            plan: given.plan,
            request: { context, concurrency: given.concurrency },
          };
          try {
            const undisturbed = await play(whole, []);
            const points = deaths.map((death) => Math.floor(death * undisturbed.events)).sort((a, b) => a - b);
            const { end, asked } = await play(whole, points);
            expect(end).toEqual(undisturbed.end);
            expect(asked).toEqual([]);
          } catch (error) {
            if (!(error instanceof InvalidPlan)) throw error;
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  test("so does one whose plan a model streams, with calls that start early", async () => {
    await fc.assert(
      fc.asyncProperty(scenario, fc.double({ min: 0, max: 1, noNaN: true }), async (given, death) => {
        const context = [...given.initial].map(([name, data]) => state(data, name === "" ? {} : { _instance: name }));
        const whole: Play = {
          options: { tools: { act: { activity: acting(given), idempotent: true } }, model: planning(given.plan) },
          plan: null,
          request: { context, concurrency: given.concurrency },
        };
        const undisturbed = await play(whole, []);
        const { end, asked } = await play(whole, [Math.floor(death * undisturbed.events)]);
        expect(end).toEqual(undisturbed.end);
        expect(asked).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test("asks before it runs anything again that is not idempotent", async () => {
    await fc.assert(
      fc.asyncProperty(scenario, fc.double({ min: 0, max: 1, noNaN: true }), async (given, death) => {
        const names = [...given.initial.keys()];
        const context = names.map((name) =>
          state(given.initial.get(name) ?? {}, name === "" ? {} : { _instance: name }),
        );
        const ran = new Map<string, number>();
        const whole: Play = {
          options: { tools: { act: { activity: counting(acting(given), ran), idempotent: false } } },
          plan: given.plan,
          request: { context, concurrency: given.concurrency },
        };
        try {
          const undisturbed = await play(whole, []);
          ran.clear();
          const { end, asked } = await play(whole, [Math.floor(death * undisturbed.events)]);
          expect(end).toEqual(undisturbed.end);
          const twice = [...ran.values()].filter((times) => times > 1).length;
          expect(twice).toBeLessThanOrEqual(asked.length);
        } catch (error) {
          if (!(error instanceof InvalidPlan)) throw error;
        }
      }),
      { numRuns: 60 },
    );
  });

  test("goes on at every event: approvals, retries, instances and delegates in delegates", async () => {
    let failures = 0;
    const flaky: Activity = async ({ value }) => {
      failures += 1;
      if (failures % 2 === 1) throw new ActivityError("busy", "try later", { did_not_happen: true });
      return value ?? null;
    };
    const whole: Play = {
      options: {
        tools: {
          echo: { activity: echo },
          flaky: { activity: flaky, idempotent: false, retries: 3 },
          risky: { activity: echo, requires_confirmation: true },
          hand: {},
        },
        delegates: [
          {
            name: "inner",
            plan: [{ _tool: "echo", _id: "i", value: "†input.word", _outputPath: "†state.said" }],
            output: { said: "†state.said" },
          },
          {
            name: "outer",
            plan: [
              { _tool: "hand", _id: "down", _delegate: "inner", word: "†input.word", _outputPath: "†state.got" },
              { _tool: "risky", _id: "agreed", value: "†state.got", _outputPath: "†state.agreed" },
            ],
          },
        ],
      },
      plan: [
        { _tool: "flaky", _id: "a", value: "†input.word", _outputPath: "†state.a || †state.error" },
        { _tool: "hand", _id: "b", _delegate: "outer", word: "†state.a", _outputPath: "†state.b" },
        { _tool: "risky", _id: "c", value: "†state.b", _outputPath: "†state.c" },
        { _tool: "echo", _id: "d", value: "†state.error.code", _outputPath: "†state.d" },
      ],
      request: { context: [input({ word: "one" }, { _instance: "①" }), input({ word: "two" }, { _instance: "②" })] },
    };
    const { end, events } = await play(whole, []);
    expect(end.status).toBe("finished");
    for (let death = 1; death < events; death++) {
      failures = 0;
      const disturbed = await play(whole, [death]);
      // What a retry was for may have happened meanwhile: an interrupted call is asked about, never lost.
      expect(disturbed.end, `died after ${death} events`).toEqual(end);
    }
  });

  test("goes on with a retry that was pending, unasked, and when it is due", async () => {
    const { activity } = failing(
      1,
      () => new ActivityError("busy", "try later", { did_not_happen: true, retry_after_ms: 50_000 }),
    );
    const tools = { flaky: { activity, idempotent: false, retries: 1 } };
    const first = setup({ tools });
    const id = await first.start([{ _tool: "flaky", _id: "a" }]);
    while (!first.types.includes("call.retried")) await first.clock.until(Promise.resolve());
    await first.engine.stop();
    const before = first.clock.now();
    const bench = first.successor({ tools });
    await bench.clock.until(bench.engine.recover());
    await bench.settle(id);
    expect(bench.statuses(id)).toEqual({ a: "succeeded" });
    expect(bench.clock.now() - before).toBeGreaterThan(40_000);
  });

  test("is over when the approvals of interrupted calls are on disk", async () => {
    const slow: Activity = () => first.clock.sleep(30_000).then(() => 1);
    const tools = { slow: { activity: slow, idempotent: false } };
    const first = setup({ tools });
    const id = await first.start([{ _tool: "slow", _id: "s" }]);
    while (!first.types.includes("call.started")) await first.clock.until(Promise.resolve());
    const bench = setup({ tools, journal: new MemoryJournal(first.journal.events) });
    const stored = bench.engine.recover().then(() => bench.types);
    expect(await bench.clock.until(stored)).toContain("confirmation.requested");
    expect(bench.call(id, "s").status).toBe("parked");
  });

  test("starts what was approved and had no slot, unasked", async () => {
    const slow: Activity = () => bench.clock.sleep(30_000).then(() => 1);
    const tools = { slow: { activity: slow }, risky: { activity: echo, requires_confirmation: true } };
    const first = setup({ tools });
    let bench = first;
    const id = await first.start(
      [
        { _tool: "risky", _id: "r" },
        { _tool: "slow", _id: "s" },
      ],
      { concurrency: 1 },
    );
    while (first.session().confirmations.size === 0) await first.clock.until(Promise.resolve());
    await first.decide({ decision: "approve" });
    expect(first.call(id, "r").status).toBe("parked");
    await first.engine.stop();
    bench = first.successor({ tools });
    await bench.clock.until(bench.engine.recover());
    await bench.settle(id);
    expect(bench.statuses(id)).toEqual({ r: "succeeded", s: "succeeded" });
    const started = bench.events("call.started").find(({ payload }) => payload.call_id === "r");
    expect(started?.payload.confirmation_id).toBe([...bench.session().confirmations.keys()][0]);
  });

  test.each([
    { by: "a cancel", request: { mode: "confirm" }, status: "cancelled", parts: 2 },
    { by: "its budget", request: { budget: { calls: 1 }, concurrency: 1 }, status: "failed", parts: 2 },
  ] as const)("comes to the end that $by began: calls by the hundred end in parts", async (given) => {
    const tools = { echo: { activity: echo, idempotent: true } };
    const whole = setup({ tools });
    const plan = Array.from({ length: 450 }, (_, n) => ({ _tool: "echo", _id: `c${n}` }));
    const id = await whole.run(plan, given.request);
    if (given.status === "cancelled") await whole.clock.until(whole.engine.cancel(id, "operator:ann"));
    const endIn = (bench: Bench) => {
      const { status, reason, error } = bench.runOf(id);
      const asked = [...bench.session().confirmations.values()].map((one) => one.status);
      return { status, reason, error, calls: bench.statuses(id), asked };
    };
    expect(whole.runOf(id).status).toBe(given.status);
    const { events, batches } = whole.journal;
    const cuts = batches
      .map((_, n) => batches.slice(0, n + 1).reduce((sum, count) => sum + count, 0))
      .filter((length) => events[length - 1]?.type === "call.cancelled");
    expect(cuts).toHaveLength(given.parts);
    for (const cut of cuts) {
      const bench = setup({ tools, journal: new MemoryJournal(events.slice(0, cut)) });
      await bench.clock.until(bench.engine.recover());
      await bench.settle(id);
      expect(endIn(bench)).toEqual(endIn(whole));
      expect(bench.events("call.started")).toHaveLength(whole.events("call.started").length);
    }
  });
});
