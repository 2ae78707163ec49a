import ELK from "elkjs/lib/elk.bundled.js";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/session/json/json.ts";
import type { PlanLevel } from "../plan-level.ts";
import { layeredPlan, levelOf } from "../testing.ts";
import { fromElk, toElk } from "./elk-graph.ts";
import { type Layout, wiresOf } from "./layout.ts";
import { mergedLayoutOf, placeOnMerged, removedCallsOn } from "./merged-layout.ts";

const FIRST = levelOf(layeredPlan(12, 4));
/** One call is removed, one is added, and one has another parameter and a taller card. */
const SECOND = levelOf([
  ...layeredPlan(12, 4)
    .filter(({ _id }) => _id !== "c5")
    .map((call): JsonObject => (call._id === "c9" ? { ...call, three: "†state.v1.id" } : call)),
  { _tool: "late", _id: "late", value: "†state.v0", _outputPath: "†state.late" },
]);
const STRANGE = levelOf([{ _tool: "other", _id: "other" }]);

async function layOut(level: PlanLevel): Promise<Layout> {
  const wires = wiresOf(level.nodes, level.links);
  return fromElk(await new ELK().layout(toElk(level.nodes, wires)), level.nodes, wires);
}

describe("C4: the iterations of a plan share one layout", () => {
  test("C4: unchanged calls keep their positions in every iteration", async () => {
    const ground = mergedLayoutOf([FIRST, SECOND], FIRST);
    if (!ground) throw new Error("They share most of their calls");
    expect(mergedLayoutOf([FIRST, SECOND], SECOND)?.key).toBe(ground.key);
    const all = await layOut(ground.level);
    const [one, two] = [placeOnMerged(all, FIRST), placeOnMerged(all, SECOND)];
    const places = new Map(one.nodes.map(({ node, x, y }) => [node.call.id, [x, y]]));
    const kept = two.nodes.filter(({ node }) => places.has(node.call.id));
    expect(kept).toHaveLength(11);
    for (const { node, x, y } of kept) expect([x, y]).toEqual(places.get(node.call.id));
    expect(one.nodes.map(({ node }) => node)).toEqual(FIRST.nodes);
    expect(removedCallsOn(all, ["c5"]).map(({ node, x, y }) => [node.call.id, [x, y]])).toEqual([
      ["c5", places.get("c5")],
    ]);
  });

  test("C4: edges end at the ports and inputs of the iteration's own calls", async () => {
    const ground = mergedLayoutOf([FIRST, SECOND], SECOND);
    if (!ground) throw new Error("They share most of their calls");
    const layout = placeOnMerged(await layOut(ground.level), SECOND);
    const placed = new Map(layout.nodes.map((node) => [node.node, node]));
    expect(layout.edges).toHaveLength(wiresOf(SECOND.nodes, SECOND.links).length);
    for (const { from, to, output, pill, points } of layout.edges) {
      const [writer, reader] = [placed.get(from), placed.get(to)];
      expect(points[0]?.y).toBeCloseTo((writer?.y ?? 0) + (writer?.box.outputs[output]?.y ?? 0));
      expect(points.at(-1)?.y).toBeCloseTo((reader?.y ?? 0) + (reader?.box.pills[pill]?.y ?? 0));
    }
  });

  test("C4: plans that share little have separate layouts", () => {
    expect(mergedLayoutOf([FIRST, STRANGE], FIRST)).toBeNull();
    expect(mergedLayoutOf([FIRST], FIRST)).toBeNull();
    expect(mergedLayoutOf([STRANGE, FIRST, SECOND], SECOND)?.level.nodes).toHaveLength(13);
  });
});
