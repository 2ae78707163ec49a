import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isJsonObject, type Json, type JsonObject } from "../../../session/json/json.ts";
import { InvalidPlan } from "../../errors.ts";
import type { Model } from "../../model.ts";
import { referenceRun } from "../../testing/reference-run.ts";
import { acting, scenario } from "../../testing/scenario.ts";
import { scripted } from "../../testing/scripted.ts";
import { setup, state } from "../../testing/setup.ts";

describe("P4–P6, P10–P12, P16, P21, P25: what a run comes to does not depend on its timing", () => {
  test("it ends as the rules say, call by call, whatever takes how long and however many run at once", async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (given) => {
        const bench = setup({ tools: { act: { activity: acting(given) } } });
        const names = [...given.initial.keys()];
        const context = names.map((name) =>
          state(given.initial.get(name) ?? {}, name === "" ? {} : { _instance: name }),
        );
        let id: string;
        try {
          id = await bench.run(given.plan, { context, concurrency: given.concurrency });
        } catch (error) {
          if (!(error instanceof InvalidPlan)) throw error;
          return fc.pre(false);
        }
        expect(bench.logged).toEqual([]);
        const statuses = bench.statuses(id);
        for (const name of names) {
          const own = given.plan.filter(({ _instance }) => _instance === undefined || _instance === name);
          const expected = referenceRun(own, given.initial.get(name) ?? {}, given.behaviours);
          expect(expected, "the rules themselves come to no end").not.toBeNull();
          const prefix = name === "" ? "" : `${name}/`;
          const mine = Object.entries(statuses).filter(([key]) => key.startsWith(prefix));
          expect(Object.fromEntries(mine.map(([key, status]) => [key.slice(prefix.length), status]))).toEqual(
            expected?.statuses,
          );
          expect(withoutWords(bench.state(id, name) ?? null)).toEqual(expected?.state);
        }
      }),
      { numRuns: 150 },
    );
  });
});

describe("P20: a plan that streams in", () => {
  test("comes to the same as if it had been given whole, whatever of it starts early", async () => {
    let early = 0;
    await fc.assert(
      fc.asyncProperty(scenario, async (given) => {
        const context = [...given.initial].map(([name, data]) => state(data, name === "" ? {} : { _instance: name }));
        const request = { context, concurrency: given.concurrency };
        const play = async (plan: JsonObject[] | null, model?: Model) => {
          const tools = { act: { activity: acting(given) } };
          const bench = setup(model ? { tools, model } : { tools });
          const id = await bench.run(plan, request);
          const calls = [...bench.session().calls.values()].filter(({ iteration }) => iteration === 1);
          const started = bench.types.indexOf("call.started");
          if (started >= 0 && started < bench.types.indexOf("plan.proposed")) early += 1;
          expect(bench.logged).toEqual([]);
          return {
            state: bench.runOf(id).state,
            calls: Object.fromEntries(
              calls.map(({ id, instance, status, handled, branch }) => [
                `${instance}/${id}`,
                { status, handled, branch },
              ]),
            ),
          };
        };
        try {
          const whole = await play(given.plan);
          expect(await play(null, scripted({ calls: given.plan, output: 1 }, { calls: [] }).model)).toEqual(whole);
        } catch (error) {
          if (!(error instanceof InvalidPlan)) throw error;
        }
      }),
      { numRuns: 100 },
    );
    expect(early).toBeGreaterThan(0);
  });
});

/** What an error says in words is no rule. */
function withoutWords(value: Json): Json {
  if (!isJsonObject(value)) return value;
  const { message, ...rest } = value;
  return Object.fromEntries(Object.entries(rest).map(([key, child]) => [key, withoutWords(child)]));
}
