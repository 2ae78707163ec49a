import ELK from "elkjs/lib/elk.bundled.js";
import { describe, expect, test } from "vitest";
import { layeredPlan, levelOf } from "../testing.ts";
import { type runElk, TooSlow } from "./elk-worker.ts";
import { createLayOut, ROUTED_LIMIT } from "./lay-out.ts";
import type { Layout } from "./layout.ts";

const PLAN = layeredPlan(24, 6);
const never = new AbortController().signal;

/** ELK as in the worker; `slow` makes its next calls time out. */
function elk(slow: () => boolean): typeof runElk {
  return async (graph) => {
    if (slow()) throw new TooSlow("too slow");
    return new ELK().layout(graph);
  };
}

function places({ nodes }: Layout): Map<string, string> {
  return new Map(nodes.map(({ node, x, y }) => [node.call.id, `${x} ${y}`]));
}

describe("C4: which layout a plan gets", () => {
  test("C4: a plan has the same layout when it is laid out again", async () => {
    const layOut = createLayOut(elk(() => false));
    const first = await layOut("run 1", levelOf(PLAN), 0, never);
    const again = await layOut("run 1", levelOf(PLAN), 0, never);
    expect(first.simplified).toBe(false);
    expect(places(again)).toEqual(places(first));
  });

  test("C4: after a timeout of ELK the plan keeps the wave layout while it grows, and says so", async () => {
    let asked = 0;
    const layOut = createLayOut(elk(() => ++asked === 1));
    const first = await layOut("run 1", levelOf(PLAN), 0, never);
    const last = { _tool: "last", _id: "last", value: "†state.v23" };
    const longer = await layOut("run 1", levelOf([...PLAN, last]), 0, never);
    expect([first.simplified, longer.simplified]).toEqual([true, true]);
    const before = places(first);
    for (const [id, place] of places(longer)) if (id !== "last") expect(place, id).toBe(before.get(id));
  });

  test("C4: another plan is tried with ELK again", async () => {
    let asked = 0;
    const layOut = createLayOut(elk(() => ++asked === 1));
    expect((await layOut("run 1", levelOf(PLAN), 0, never)).simplified).toBe(true);
    expect((await layOut("run 2", levelOf(PLAN), 0, never)).simplified).toBe(false);
  });

  test("C4: ELK is not tried for a plan that is too large", async () => {
    const layOut = createLayOut(() => Promise.reject(new Error("asked")));
    const layout = await layOut("run 1", levelOf(layeredPlan(ROUTED_LIMIT + 1, 20)), 0, never);
    expect(layout.simplified).toBe(true);
    expect(layout.nodes).toHaveLength(ROUTED_LIMIT + 1);
  });
});
