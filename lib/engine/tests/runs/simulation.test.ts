import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCalls } from "../../../plan/call.ts";
import { readContext } from "../../../plan/context.ts";
import { simulate } from "../../../plan/schedule/simulate.ts";
import type { Tool } from "../../../plan/tool.ts";
import { createSchemaChecker } from "../../json-schema.ts";
import { type Behaviour, referenceRun } from "../../testing/reference-run.ts";
import { scenario } from "../../testing/scenario.ts";
import { state } from "../../testing/setup.ts";

/** Its result is a text, as in the reference run. */
const ACT: Tool = {
  name: "act",
  description: "",
  schema: { properties: { _output: { type: "string" } } },
  has_activity: true,
  requires_confirmation: false,
};

describe("P18: a simulation", () => {
  test("ends each call as the rules say, whichever alternatives are chosen", () => {
    const checker = createSchemaChecker();
    let ended = 0;
    fc.assert(
      fc.property(scenario, ({ plan, initial, behaviours }) => {
        for (const [instance, begin] of initial) {
          const own = plan.filter(({ _instance }) => _instance === undefined || _instance === instance);
          const calls = readCalls(own);
          const branches = Object.fromEntries(
            calls.map(({ id, output }) => [id, Math.min(alternativeOf(behaviours.get(id)), (output?.length ?? 1) - 1)]),
          );
          const chosen = calls.map(({ id }): [string, Behaviour] => [
            id,
            { kind: "gives", alternative: branches[id] ?? 0 },
          ]);
          const expected = referenceRun(own, begin, new Map(chosen));
          if (expected === null) continue;
          const read = readContext([state(begin, instance === "" ? {} : { _instance: instance })]);
          if (!read.ok) throw new Error(JSON.stringify(read.faults));
          const toolbox = { tool: () => ACT, delegate: () => undefined };
          const simulated = simulate({ calls, context: read.context, instance, toolbox, branches, checker });
          const statuses = Object.entries(expected.statuses).map(([id, status]) => [id, status.split(" ")[0]]);
          expect(Object.fromEntries(Object.entries(simulated.calls).map(([id, { status }]) => [id, status]))).toEqual(
            Object.fromEntries(statuses),
          );
          ended += statuses.length;
        }
      }),
      { numRuns: 100 },
    );
    expect(ended).toBeGreaterThan(0);
  });
});

function alternativeOf(behaviour: Behaviour | undefined): number {
  return behaviour?.kind === "gives" ? behaviour.alternative : 0;
}
