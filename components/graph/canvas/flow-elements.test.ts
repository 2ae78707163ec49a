import { expect, test } from "vitest";
import { wiresOf } from "../layout/layout.ts";
import { layOutWaves } from "../layout/wave-grid.ts";
import { layeredPlan, levelOf } from "../testing.ts";
import { flowNodeMaker, goneHider, highlightNodes, idReuser } from "./flow-elements.ts";

const level = levelOf(layeredPlan(9, 3));
const layout = layOutWaves(level.nodes, wiresOf(level.nodes, level.links));
const nothing = { path: null, selected: null, found: new Set<string>(), marked: new Set<string>() };

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

test("C4: within a plan a call keeps its node, and another plan's calls get the same nodes again", () => {
  const reuse = idReuser();
  const [first, second, ...rest] = layout.nodes;
  if (!first || !second) throw new Error("The plan has no calls");
  const before = reuse("plan a", [first, second])(second.node.id);
  expect(reuse("plan a", [second, ...rest])(second.node.id)).toBe(before);
  expect(new Set(layout.nodes.map(({ node }) => reuse("plan a", layout.nodes)(node.id))).size).toBe(
    layout.nodes.length,
  );
  expect(reuse("plan b", [second])(second.node.id)).toBe(reuse("plan a", [first])(first.node.id));
});

test("C4: nodes that are gone are hidden until they come again", () => {
  const withGone = goneHider();
  const [first, ...rest] = layout.nodes.map(flowNodeMaker(layout));
  if (!first) throw new Error("The plan has no calls");
  withGone([first, ...rest]);
  expect(withGone(rest).filter(({ hidden }) => !hidden)).toEqual(rest);
  expect(withGone([first, ...rest])).toEqual([first, ...rest]);
});
