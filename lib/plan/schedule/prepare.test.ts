import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../session/json/json.ts";
import { type PlanCall, readCalls } from "../call.ts";
import { overlaps } from "../overlap.ts";
import { printReference } from "../reference.ts";
import { findCycles } from "./cycles.ts";
import { Facts } from "./facts.ts";
import { prepare, runToEnd } from "./prepare.ts";

function call(id: string, reads: string[], output?: string): JsonObject {
  return { _tool: "t", _id: id, reads, ...(output !== undefined && { _outputPath: output }) };
}

/** Who waits for whom because of what both write. */
function orderOf(plan: JsonObject[], given: string[] = []): string[] {
  const { order } = prepare(readCalls(plan), (reference) => given.includes(printReference(reference)));
  return order.map(({ from, to, path }) => `${from} → ${to} at ${path}`);
}

describe("P12: the order of writers", () => {
  test("writers of one path follow the plan, as a chain", () => {
    const plan = ["a", "b", "c"].map((id) => call(id, [], "†state.x"));
    expect(orderOf(plan)).toEqual(["a → b at †state.x", "b → c at †state.x"]);
  });

  test("an ancestor comes before its descendants, wherever they stand in the plan", () => {
    expect(orderOf([call("part", [], "†state.x.y"), call("whole", [], "†state.x")])).toEqual([
      "whole → part at †state.x.y",
    ]);
  });

  test("of two calls each above the other somewhere, plan order decides", () => {
    const plan = [call("a", [], "†state.p.q && †state.r"), call("b", [], "†state.p && †state.r.s")];
    expect(orderOf(plan)).toEqual(["a → b at †state.r.s"]);
  });

  test("ten thousand writers of one path are ten thousand pairs", () => {
    const plan = Array.from({ length: 10_000 }, (_, index) =>
      call(`c${index}`, [], `†state.x${index} || †state.error`),
    );
    expect(orderOf(plan)).toHaveLength(9_999);
  });
});

describe("P16: exclusive writers have no order", () => {
  test("branches that rejoin on one path", () => {
    const plan = [
      call("ask", [], "†state.yes || †state.no"),
      call("a", ["†state.yes"], "†state.x"),
      call("b", ["†state.no"], "†state.x"),
    ];
    expect(orderOf(plan)).toEqual([]);
    // What is there from the beginning makes nothing exclusive: both can run.
    expect(orderOf(plan, ["†state.yes"])).toEqual(["a → b at †state.x"]);
  });

  test("facts are carried along edges and united over parameters and gates", () => {
    expect(
      orderOf([
        call("ask", [], "†state.yes || †state.no"),
        call("other", [], "†state.other"),
        call("a", ["†state.yes"], "†state.a"),
        call("b", ["†state.no && †state.other"], "†state.b"),
        call("after-a", ["†state.other", "†state.a"], "†state.x"),
        call("after-b", ["†state.b"], "†state.x"),
      ]),
    ).toEqual([]);
  });

  test("facts are intersected over alternatives and over several writers", () => {
    const plan = [
      call("ask", [], "†state.yes || †state.no"),
      call("free", [], "†state.free"),
      call("a", ["†state.yes || †state.free"], "†state.x"),
      call("b", ["†state.no"], "†state.x"),
    ];
    expect(orderOf(plan)).toEqual(["a → b at †state.x"]);
    expect(
      orderOf([...plan.slice(0, 2), call("a", ["†state.yes || †state.yes"], "†state.x"), ...plan.slice(3)]),
    ).toEqual([]);
    expect(
      orderOf([
        call("ask", [], "†state.yes || †state.no"),
        call("one", ["†state.yes"], "†state.way"),
        call("two", ["†state.yes"], "†state.way.more"),
        call("a", ["†state.way"], "†state.x"),
        call("b", ["†state.no"], "†state.x"),
      ]),
    ).toEqual(["one → two at †state.way.more"]);
  });

  test("a write's own alternative is a fact of it", () => {
    expect(orderOf([call("ask", [], "†state.x || †state.no"), call("b", ["†state.no"], "†state.x")])).toEqual([]);
    expect(orderOf([call("ask", [], "†state.x || †state.no"), call("b", [], "†state.x")])).toHaveLength(1);
  });

  test("errors that each stop the chain go to one path without an order", () => {
    const chain = Array.from({ length: 2_000 }, (_, index) =>
      call(`c${index}`, index === 0 ? [] : [`†state.x${index - 1}`], `†state.x${index} || †state.error`),
    );
    expect(orderOf(chain)).toEqual([]);
  });
});

test("P12: the chains order every pair that looking at it orders", () => {
  const path = fc.constantFrom("x", "x.a", "x.a.b", "y", "z");
  const output = fc
    .array(fc.array(path, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 })
    .map((all) => all.map((fanOut) => fanOut.map((name) => `†state.${name}`).join(" && ")).join(" || "));
  const reads = fc.array(fc.constantFrom("†state.x", "†state.y", "†state.z"), { maxLength: 1 });
  let compared = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(reads, output), { maxLength: 8 }), (calls) => {
      const plan = readCalls(calls.map(([reads, output], index) => call(`c${index}`, index < 3 ? [] : reads, output)));
      const { links, order } = prepare(plan, () => false);
      const expected = orderedPairs(plan, runToEnd(Facts.inParts(plan, links, () => false)));
      const ids = plan.map(({ id }) => id);
      // Where the pairs themselves go round in a circle, validation refuses the plan.
      if (findCycles(ids, [...links, ...expected]).length > 0) return;
      compared += expected.length;
      const isBefore = reachable([...links, ...order]);
      for (const { from, to } of expected) expect(isBefore(from, to)).toBe(true);
    }),
    { numRuns: 500 },
  );
  expect(compared).toBeGreaterThan(100);
});

/** The rule word by word: for each pair of calls with overlapping writes that are not exclusive, who comes first. */
function orderedPairs(calls: PlanCall[], facts: Facts): { from: string; to: string }[] {
  const writes = calls.map(({ id, output }) =>
    (output ?? []).flatMap((fanOut, alternative) => fanOut.map((target) => ({ call: id, alternative, target }))),
  );
  return writes.flatMap((earlier, index) =>
    writes.slice(index + 1).flatMap((later) => {
      const pairs = earlier.flatMap((a) => later.map((b) => ({ a, b })));
      const meeting = pairs.filter(
        ({ a, b }) => overlaps(a.target, b.target) && !facts.areExclusive(facts.of(a), facts.of(b)),
      );
      const [any] = meeting;
      if (!any) return [];
      const above = meeting.some(({ a, b }) => a.target.path.length < b.target.path.length);
      const below = meeting.some(({ a, b }) => a.target.path.length > b.target.path.length);
      return below && !above ? [{ from: any.b.call, to: any.a.call }] : [{ from: any.a.call, to: any.b.call }];
    }),
  );
}

function reachable(edges: readonly { from: string; to: string }[]) {
  return (start: string, end: string) => {
    const seen = new Set([start]);
    for (const id of seen) for (const { from, to } of edges) if (from === id) seen.add(to);
    return seen.has(end);
  };
}

describe("P17: cycles", () => {
  test("each knot is named once, from its first call on, by its shortest way round", () => {
    const edges = [
      { from: "a", to: "b" },
      { from: "b", to: "c" },
      { from: "c", to: "a" },
      { from: "c", to: "d" },
      { from: "e", to: "e" },
      { from: "b", to: "a" },
    ];
    expect(findCycles(["a", "b", "c", "d", "e"], edges)).toEqual([["a", "b"], ["e"]]);
    expect(findCycles(["a", "b"], [{ from: "a", to: "b" }])).toEqual([]);
  });

  test("a chain of a hundred thousand calls is no problem", () => {
    const ids = Array.from({ length: 100_000 }, (_, index) => `c${index}`);
    const edges = ids.slice(1).map((to, index) => ({ from: ids[index] ?? "", to }));
    expect(findCycles(ids, edges)).toEqual([]);
    const [cycle = []] = findCycles(ids, [...edges, { from: "c99999", to: "c0" }]);
    expect(cycle).toHaveLength(100_000);
  });
});
