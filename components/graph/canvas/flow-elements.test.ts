import { expect, test } from "vitest";
import { wiresOf } from "../layout/layout.ts";
import { layOutWaves } from "../layout/wave-grid.ts";
import { layeredPlan, levelOf } from "../testing.ts";
import { flowNodeMaker, highlightNodes } from "./flow-elements.ts";

const level = levelOf(layeredPlan(9, 3));
const layout = layOutWaves(level.nodes, wiresOf(level.nodes, level.links));
const nothing = { path: null, selected: null, found: new Set<string>() };

test("C4: a node keeps its identity when it leaves and enters the viewport, so it is not rendered again", () => {
  const nodeOf = flowNodeMaker(layout);
  const [, second] = layout.nodes.map(nodeOf);
  expect(layout.nodes.slice(1).map(nodeOf)[0]).toBe(second);
  const seen = highlightNodes(layout.nodes.map(nodeOf), { ...nothing, selected: "c0" });
  expect(seen[1]).toBe(second);
});

test("C4: nodes have fixed sizes and no handles, so a large plan is not measured", () => {
  for (const node of layout.nodes.map(flowNodeMaker(layout)))
    expect(node).toMatchObject({ measured: { width: node.width, height: node.height }, handles: [] });
});

test("C4: where edges can be drawn, each card has a source and a target handle", () => {
  const [node] = layout.nodes.map(flowNodeMaker(layout, true));
  expect(node?.handles?.map(({ type }) => type)).toEqual(["source", "target"]);
});
