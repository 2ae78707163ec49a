import { findWaves } from "@/lib/plan/graph.ts";
import { findLinks } from "@/lib/plan/links.ts";
import type { DrawnPlan } from "../level-reader.ts";
import type { GraphNode, PlanLevel } from "../plan-level.ts";
import { type Layout, type PlacedEdge, type PlacedNode, wiresOf } from "./layout.ts";
import { layoutKey } from "./layout-key.ts";
import { route } from "./wave-grid.ts";

/** Above this number of calls each iteration has its own layout. */
const MOST_CALLS = 300;

/** The part of the smaller plan's calls that two plans must share to have a common layout. */
const LEAST_SHARED = 0.5;

/**
 * Merges a run's iterations into one level with one layout, so that unchanged calls keep their positions (C4). `levels`
 * are in order of iterations; those that share too little with `shown` are left out. Null when there is nothing to
 * share, or when delegates are expanded or chains collapsed, because their sizes differ.
 */
export function mergedLayoutOf(levels: readonly PlanLevel[], shown: PlanLevel): DrawnPlan | null {
  const kin = kinOf(levels, shown);
  if (kin.length < 2 || kin.some((level) => level.recorded || level.whole || level.nodes.some(({ open }) => open)))
    return null;
  const newest = new Map<string, GraphNode>();
  for (const { nodes } of kin) {
    for (const node of nodes) {
      const before = newest.get(node.call.id)?.box;
      const width = Math.max(node.box.width, before?.width ?? 0);
      const height = Math.max(node.box.height, before?.height ?? 0);
      newest.set(node.call.id, { ...node, id: node.call.id, frame: null, box: { ...node.box, width, height } });
    }
  }
  if (newest.size > MOST_CALLS) return null;
  const calls = [...newest.values()].map(({ call }) => call);
  const links = findLinks(calls);
  const waves = findWaves([...newest.keys()], links);
  const waveOf = new Map(waves.flatMap((wave, index) => wave.map((id) => [id, index] as const)));
  const nodes = [...newest.values()].map((node) => ({ ...node, wave: waveOf.get(node.call.id) ?? 0 }));
  const level: PlanLevel = { recorded: false, nodes, links, size: nodes.length, whole: null };
  return { level, key: `ground ${layoutKey(level)}` };
}

/** One iteration's plan at its positions in the merged layout. */
export function placeOnMerged(ground: Layout, level: PlanLevel): Layout {
  const places = new Map(ground.nodes.map((placed) => [placed.node.call.id, placed]));
  const nodes = level.nodes.flatMap((node): PlacedNode[] => {
    const place = places.get(node.call.id);
    return place ? [{ ...place, node, box: { ...node.box, width: place.box.width } }] : [];
  });
  return { ...ground, nodes, edges: edgesOn(ground, level, nodes), captions: captionsOver(ground, nodes) };
}

/** The positions of calls in the merged layout, by id. */
export function removedCallsOn(ground: Layout, ids: readonly string[]): PlacedNode[] {
  const gone = new Set(ids);
  return ground.nodes.filter(({ node }) => gone.has(node.call.id));
}

/** The neighbouring iterations, as far as each shares enough with the next. */
function kinOf(levels: readonly PlanLevel[], shown: PlanLevel): PlanLevel[] {
  const at = levels.indexOf(shown);
  let from = at;
  while (from > 0 && isKin(levels[from - 1], levels[from])) from--;
  let to = at;
  while (to >= 0 && to < levels.length - 1 && isKin(levels[to], levels[to + 1])) to++;
  return levels.slice(Math.max(0, from), to + 1);
}

function isKin(one: PlanLevel | undefined, other: PlanLevel | undefined): boolean {
  if (!one || !other) return false;
  const ids = new Set(one.nodes.map(({ call }) => call.id));
  const shared = other.nodes.filter(({ call }) => ids.has(call.id)).length;
  return shared > 0 && shared >= Math.min(ids.size, other.nodes.length) * LEAST_SHARED;
}

/** Edges keep their merged route if both ends are where it starts and ends; others get a simple route. */
function edgesOn(ground: Layout, level: PlanLevel, placed: readonly PlacedNode[]): PlacedEdge[] {
  const ways = new Map(ground.edges.map((edge) => [wayKey(edge), edge]));
  const byCall = new Map(placed.map((one) => [one.node.call.id, one]));
  return wiresOf(level.nodes, level.links).flatMap(({ link, output, pill }, index): PlacedEdge[] => {
    const from = byCall.get(link.from);
    const to = byCall.get(link.to);
    if (!from || !to) return [];
    const edge = { from: from.node, to: to.node, write: link.write, output, pill };
    const known = ways.get(wayKey(edge));
    if (known) return [{ ...edge, points: known.points, junctions: known.junctions }];
    const start = { x: from.x + from.box.width, y: from.y + (from.box.outputs[output]?.y ?? 0) };
    const end = { x: to.x, y: to.y + (to.box.pills[pill]?.y ?? 0) };
    return [{ ...edge, points: route(start, end, (index % 8) * 6), junctions: [] }];
  });
}

function wayKey({ from, output, to, pill }: Pick<PlacedEdge, "from" | "output" | "to" | "pill">): string {
  const start = from.box.outputs[output];
  const end = to.box.pills[pill];
  return JSON.stringify([from.call.id, start?.path, start?.y, to.call.id, end?.path, end?.y]);
}

/** The headings of columns that have calls, renumbered. */
function captionsOver(ground: Layout, nodes: readonly PlacedNode[]): Layout["captions"] {
  return ground.captions
    .filter(({ x, width }) => nodes.some((node) => node.x < x + width && node.x + node.box.width > x))
    .toSorted((a, b) => a.x - b.x)
    .map((caption, index) => ({ ...caption, number: index + 1 }));
}
