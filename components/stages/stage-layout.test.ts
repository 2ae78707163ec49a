import { describe, expect, it } from "vitest";
import type { DialogGraph } from "./dialog-graph.ts";
import { layOutStages, type PlacedStage, type StageLayout } from "./stage-layout.ts";
import { MAIN_GRAPH } from "./testing/main-graph.ts";

const layout = layOutStages(MAIN_GRAPH);

function node(id: string, of: StageLayout = layout): PlacedStage {
  const found = of.nodes.find((one) => one.id === id);
  if (!found) throw new Error(`No node ${id}`);
  return found;
}

const middle = ({ x, width }: PlacedStage) => x + width / 2;
const overlap = (a: PlacedStage, b: PlacedStage) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

describe("the layout of the main graph", () => {
  it("D1: goes from START down to END, each node below its predecessors", () => {
    expect(layout.nodes.map(({ id }) => id).sort()).toEqual(MAIN_GRAPH.nodes.map(({ id }) => id).sort());
    for (const { from, to } of MAIN_GRAPH.edges) {
      expect(node(to).y, `${from} → ${to}`).toBeGreaterThan(node(from).y + node(from).height);
    }
    expect(middle(node("START"))).toBe(middle(node("END")));
    expect(middle(node("handle_demo"))).toBe(middle(node("END")));
  });

  it("has no overlaps, and is within its bounds", () => {
    for (const [index, a] of layout.nodes.entries()) {
      for (const b of layout.nodes.slice(index + 1)) expect(overlap(a, b), `${a.id}, ${b.id}`).toBe(false);
      expect(a.x >= 0 && a.x + a.width <= layout.width && a.y >= 0 && a.y + a.height <= layout.height).toBe(true);
    }
  });

  it("routes each edge between its nodes with right angles, and through no other node", () => {
    expect(layout.ways).toHaveLength(MAIN_GRAPH.edges.length);
    for (const { edge, points } of layout.ways) {
      const [from, to] = [node(edge.from), node(edge.to)];
      expect(points[0]?.y).toBe(from.y + from.height);
      expect(points.at(-1)?.y).toBe(to.y);
      for (const [index, point] of points.slice(1).entries()) {
        const before = points[index] ?? point;
        expect(point.x === before.x || point.y === before.y).toBe(true);
        for (const other of layout.nodes) {
          const inside =
            Math.max(point.x, before.x) > other.x &&
            Math.min(point.x, before.x) < other.x + other.width &&
            Math.max(point.y, before.y) > other.y &&
            Math.min(point.y, before.y) < other.y + other.height;
          expect(inside, `${edge.from} → ${edge.to} in ${other.id}`).toBe(false);
        }
      }
    }
  });

  it("gives each edge its own port", () => {
    const ends = layout.ways.flatMap(({ points }) => [points[0], points.at(-1)].map((one) => `${one?.x} ${one?.y}`));
    expect(new Set(ends).size).toBe(ends.length);
  });

  it("handles an added node and a back edge", () => {
    const more: DialogGraph = {
      nodes: [...MAIN_GRAPH.nodes, { id: "handle_survey" }],
      edges: [
        ...MAIN_GRAPH.edges,
        { from: "detect_stage", to: "handle_survey", conditional: true, label: "survey" },
        { from: "handle_survey", to: "END", conditional: false, label: null },
        { from: "handle_survey", to: "detect_stage", conditional: true, label: "again" },
      ],
    };
    const drawn = layOutStages(more);
    expect(node("handle_survey", drawn).y).toBe(node("handle_admin", drawn).y);
    for (const [index, a] of drawn.nodes.entries())
      for (const b of drawn.nodes.slice(index + 1)) expect(overlap(a, b)).toBe(false);
  });
});
