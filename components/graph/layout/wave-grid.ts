import type { Point } from "../edge/trace.ts";
import type { GraphNode } from "../plan-level.ts";
import { CARD } from "./geometry.ts";
import type { Caption, Layout, PlacedEdge, PlacedNode, Wire } from "./layout.ts";

/** Gaps between waves (for edges), between columns of a wave, and between calls; px. */
const WAVE_GAP = 84;
const COLUMN_GAP = 28;
const ROW_GAP = 30;
/** Space for the headings of waves. */
export const HEADING = 26;
/** A wave is split into columns of this many calls, more in larger plans, for a readable aspect ratio. */
const LEAST_ROWS = 8;
/** Edges to neighbouring calls are on this many tracks, this far apart, px. */
const TRACK = 6;
const TRACKS = 8;

/** The wave layout: waves as columns, without optimizing the order; linear in calls and edges. */
export function layOutWaves(nodes: readonly GraphNode[], wires: readonly Wire[]): Layout {
  const rows = Math.max(LEAST_ROWS, Math.ceil(Math.sqrt(nodes.length)));
  const placed: PlacedNode[] = [];
  const captions: Caption[] = [];
  let x = 0;
  let height = 0;
  for (const [wave, members] of [...Map.groupBy(nodes, ({ wave }) => wave)].sort(([a], [b]) => a - b)) {
    const left = x;
    const width = Math.max(...members.map(({ box }) => box.width));
    const columns = Math.ceil(members.length / rows);
    const perColumn = Math.ceil(members.length / columns);
    for (let column = 0; column < columns; column++) {
      let y = HEADING;
      for (const node of members.slice(column * perColumn, (column + 1) * perColumn)) {
        const box = node.open ? node.box : { ...node.box, width: Math.min(width, CARD.maxWidth) };
        placed.push({ node, box, x, y, depth: 0, order: null });
        y += node.box.height + ROW_GAP;
      }
      height = Math.max(height, y - ROW_GAP);
      x += width + COLUMN_GAP;
    }
    x += WAVE_GAP - COLUMN_GAP;
    captions.push({ kind: "wave", number: wave + 1, x: left, y: 0, width: x - WAVE_GAP - left });
  }
  return {
    width: Math.max(0, x - WAVE_GAP),
    height,
    nodes: placed,
    edges: routeAll(placed, wires),
    inferred: [],
    captions,
    connectors: [],
    asText: false,
    simplified: false,
  };
}

function routeAll(placed: readonly PlacedNode[], wires: readonly Wire[]): PlacedEdge[] {
  const byCall = new Map(placed.map((one) => [one.node.call.id, one]));
  return wires.flatMap(({ link, output, pill }, index) => {
    const from = byCall.get(link.from);
    const to = byCall.get(link.to);
    if (!from || !to) return [];
    const start = { x: from.x + from.box.width, y: from.y + (from.box.outputs[output]?.y ?? 0) };
    const end = { x: to.x, y: to.y + (to.box.pills[pill]?.y ?? 0) };
    const points = route(start, end, (index % TRACKS) * TRACK);
    return [{ from: from.node, to: to.node, write: link.write, output, pill, points, junctions: [] }];
  });
}

/** Follows the writer's row to the reader's column and turns there; against the order of waves, it goes around. */
export function route(start: Point, end: Point, track: number): Point[] {
  const turn = end.x - 20 - track;
  if (turn > start.x) return [start, { x: turn, y: start.y }, { x: turn, y: end.y }, end];
  const out = start.x + 14 + track;
  const between = (start.y + end.y) / 2;
  return [start, { x: out, y: start.y }, { x: out, y: between }, { x: turn, y: between }, { x: turn, y: end.y }, end];
}
