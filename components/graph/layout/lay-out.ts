import type { GraphNode, PlanLevel } from "../plan-level.ts";
import { fromElk, toElk } from "./elk-graph.ts";
import { runElk, TooSlow } from "./elk-worker.ts";
import { FRAME, frameOf, headOf } from "./geometry.ts";
import { pageTurn } from "./in-slices.ts";
import { inferredWires, routeInferred } from "./inferred-wires.ts";
import { type Layout, moveLayout, wiresOf } from "./layout.ts";
import { layOutRows } from "./recorded-rows.ts";
import { HEADING, layOutWaves } from "./wave-grid.ts";

/** ELK's time limit, ms. It lays out 200 calls in 0.65 s and 1,000 in 1.4 s. */
const TIME_LIMIT = 1_500;
/** A plan of so few calls takes milliseconds: only a busy machine needs longer, and routed edges are worth the wait. */
const SMALL = { calls: 60, limit: 10_000 };
/** Above this number of calls edges are not routed. */
export const ROUTED_LIMIT = 400;

/** Recorded calls of a delegate are laid out in rows of this length. */
const FRAME_COLUMNS = 3;

/** Lays out a named plan, with this many recorded calls per row. */
type LayOut = (name: string, level: PlanLevel, columns: number, signal: AbortSignal) => Promise<Layout>;

/**
 * Creates the layout function. Delegates' frames are laid out first, from the inside out, so that their sizes are
 * known. A plan for which ELK timed out keeps the wave layout while it grows, so that its calls do not jump (C4).
 */
export function createLayOut(run: typeof runElk = runElk): LayOut {
  const plain = new Set<string>();
  return async (name, level, columns, signal) => {
    const routed = level.size <= ROUTED_LIMIT && !plain.has(name);
    const limit = level.size <= SMALL.calls ? SMALL.limit : TIME_LIMIT;
    const route: Route = (...graph) => (routed ? run(toElk(...graph), limit, signal) : null);
    const layout = await layOutLevel(level, columns, route);
    if (layout.simplified) plain.add(name);
    return layout;
  };
}

type Route = (...graph: Parameters<typeof toElk>) => ReturnType<typeof runElk> | null;

async function layOutLevel(level: PlanLevel, columns: number, route: Route): Promise<Layout> {
  const nodes: GraphNode[] = [];
  const inner = new Map<GraphNode, Layout>();
  for (const node of level.nodes) {
    if (!node.frame || !node.open) {
      nodes.push(node);
      continue;
    }
    const content = withoutHeadings(await layOutLevel(node.frame, FRAME_COLUMNS, route));
    const framed = { ...node, box: frameOf(node.call, content, node.box.marks) };
    inner.set(framed, content);
    nodes.push(framed);
  }
  const layout = level.recorded
    ? await layOutRecorded(nodes, level, columns, route)
    : await layOutGraph(nodes, level, route);
  return inner.size === 0 ? layout : withContents(layout, inner);
}

/** Recorded calls are in rows, like text; with edges, they are laid out as a plan. */
async function layOutRecorded(nodes: GraphNode[], level: PlanLevel, columns: number, route: Route): Promise<Layout> {
  if (level.links.length === 0 && inferredWires(nodes).length === 0) return layOutRows(nodes, columns);
  const layout = await layOutGraph(nodes, level, route);
  const orders = new Map(nodes.map(({ id }, index) => [id, index + 1]));
  return {
    ...layout,
    nodes: layout.nodes.map((placed) => ({ ...placed, order: orders.get(placed.node.id) ?? null })),
    captions: [],
  };
}

async function layOutGraph(nodes: GraphNode[], level: PlanLevel, route: Route): Promise<Layout> {
  await pageTurn();
  const wires = wiresOf(nodes, level.links);
  const inferred = inferredWires(nodes);
  await pageTurn();
  try {
    const answer = await route(nodes, wires, inferred);
    if (answer) return fromElk(answer, nodes, wires, inferred);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    // A graph that ELK cannot lay out still gets the wave layout.
    if (!(error instanceof TooSlow)) console.error("ELK failed to lay out a plan", error);
  }
  const plain = layOutWaves(nodes, wires);
  return { ...plain, inferred: routeInferred(plain.nodes, inferred), simplified: true };
}

/** Moves the contents of frames to their positions. */
function withContents(layout: Layout, inner: ReadonlyMap<GraphNode, Layout>): Layout {
  const all = { ...layout };
  for (const { node, box, x, y } of layout.nodes) {
    const content = inner.get(node);
    if (!content) continue;
    const moved = moveLayout(content, x + FRAME.side, y + box.top + headOf(box.outputs.length) + FRAME.top, 1);
    all.nodes = [...all.nodes, ...moved.nodes];
    all.edges = [...all.edges, ...moved.edges];
    all.inferred = [...all.inferred, ...moved.inferred];
    all.connectors = [...all.connectors, ...moved.connectors];
    all.simplified ||= moved.simplified;
  }
  return all;
}

/** A frame's waves are few, so they have no headings. */
function withoutHeadings(layout: Layout): Layout {
  if (!layout.captions.some(({ kind }) => kind === "wave")) return layout;
  return { ...moveLayout(layout, 0, -HEADING, 0), captions: [], height: layout.height - HEADING };
}
