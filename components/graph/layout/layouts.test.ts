import ELK from "elkjs/lib/elk.bundled.js";
import { describe, expect, test } from "vitest";
import { layeredPlan, levelOf } from "../testing.ts";
import { fromElk, toElk } from "./elk-graph.ts";
import { type Layout, wiresOf } from "./layout.ts";
import { columnsFor, layOutRows } from "./recorded-rows.ts";
import { layOutWaves } from "./wave-grid.ts";

const PLAN = levelOf(layeredPlan(40, 6));
const WIRES = wiresOf(PLAN.nodes, PLAN.links);

function expectNoOverlap({ nodes }: Layout): void {
  nodes.forEach((a, index) => {
    for (const b of nodes.slice(index + 1)) {
      const apart =
        a.x + a.box.width <= b.x || b.x + b.box.width <= a.x || a.y + a.box.height <= b.y || b.y + b.box.height <= a.y;
      expect(apart, `${a.node.id} and ${b.node.id}`).toBe(true);
    }
  });
}

/** Every edge starts at its output's port, ends at its input, and has only right angles. */
function expectRouted(layout: Layout): void {
  const placed = new Map(layout.nodes.map((one) => [one.node, one]));
  expect(layout.edges).toHaveLength(WIRES.length);
  for (const { from, to, output, pill, points } of layout.edges) {
    const writer = placed.get(from);
    const reader = placed.get(to);
    expect(points[0]?.x).toBeCloseTo((writer?.x ?? 0) + (writer?.box.width ?? 0));
    expect(points[0]?.y).toBeCloseTo((writer?.y ?? 0) + (writer?.box.outputs[output]?.y ?? 0));
    expect(points.at(-1)?.x).toBeCloseTo(reader?.x ?? 0);
    expect(points.at(-1)?.y).toBeCloseTo((reader?.y ?? 0) + (reader?.box.pills[pill]?.y ?? 0));
    points.slice(1).forEach((point, index) => {
      const before = points[index] ?? point;
      expect(Math.min(Math.abs(point.x - before.x), Math.abs(point.y - before.y))).toBeLessThan(0.01);
    });
  }
}

describe("C4: layouts", () => {
  test("C4: ELK's layout: waves from left to right, no overlaps, edges end at ports and inputs", async () => {
    const layout = fromElk(await new ELK().layout(toElk(PLAN.nodes, WIRES)), PLAN.nodes, WIRES);
    expectNoOverlap(layout);
    expectRouted(layout);
    for (const { node, x } of layout.nodes) {
      for (const other of layout.nodes) if (other.node.wave > node.wave) expect(other.x).toBeGreaterThan(x);
    }
    expect(layout.captions.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test("C4: the wave layout: no overlaps, edges end at ports and inputs", () => {
    const layout = layOutWaves(PLAN.nodes, WIRES);
    expectNoOverlap(layout);
    expectRouted(layout);
  });

  test("C4: recorded calls are in order, in rows, and complete", () => {
    const { nodes } = levelOf(layeredPlan(23, 4), true);
    const layout = layOutRows(nodes, 4);
    expectNoOverlap(layout);
    expect(layout.nodes.map(({ order }) => order)).toEqual(nodes.map((_, index) => index + 1));
    expect(layout.nodes.map(({ node }) => node.id)).toEqual(nodes.map(({ id }) => id));
    expect(new Set(layout.nodes.map(({ y }) => y)).size).toBe(6);
    expect(layout.connectors).toHaveLength(22);
  });

  test("C4: a narrower pane has fewer recorded calls per row, but at least two", () => {
    expect(columnsFor(0)).toBe(2);
    expect(columnsFor(757)).toBe(3);
    expect(columnsFor(4_000)).toBe(6);
  });

  test("C4: an iteration has a heading where it starts, and again in each row", () => {
    const { nodes } = levelOf(layeredPlan(5, 9), true);
    const iterations = [1, 1, 1, 2, 2];
    const layout = layOutRows(
      nodes.map((node, index) => ({ ...node, iteration: iterations[index] ?? 0 })),
      2,
    );
    expect(layout.captions.map(({ number }) => number)).toEqual([1, 1, 2, 2]);
  });

  test("C4: iterations of one call each have no headings, because calls are numbered", () => {
    const { nodes } = levelOf(layeredPlan(4, 9), true);
    const layout = layOutRows(
      nodes.map((node, index) => ({ ...node, iteration: index + 1 })),
      2,
    );
    expect(layout.captions).toEqual([]);
  });
});
