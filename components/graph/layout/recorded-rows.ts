import type { Point } from "../edge/trace.ts";
import type { GraphNode } from "../plan-level.ts";
import { CARD } from "./geometry.ts";
import type { Caption, Layout, PlacedNode } from "./layout.ts";

/** Gaps between calls in a row, and between rows; px. */
const GAP = 36;
const ROW_GAP = 26;
/** Space above each call for its number and its iteration. */
const CAPTION = 22;

/** The number of recorded calls per row in a width, px: at least two, with a maximum. */
export function columnsFor(width: number): number {
  return Math.min(6, Math.max(2, Math.floor((width + GAP) / (CARD.maxWidth + GAP))));
}

/** Recorded calls in order, in rows that wrap like text, each connected to the next. */
export function layOutRows(nodes: readonly GraphNode[], columns: number): Layout {
  const width = Math.max(0, ...nodes.filter(({ open }) => !open).map(({ box }) => box.width));
  const placed: PlacedNode[] = [];
  let y = 0;
  for (const row of wrap(nodes, width, columns)) {
    let x = 0;
    for (const node of row) {
      const box = { ...node.box, width: Math.max(width, node.box.width) };
      placed.push({ node, box, x, y: y + CAPTION, depth: 0, order: placed.length + 1 });
      x += box.width + GAP;
    }
    y += CAPTION + Math.max(...row.map(({ box }) => box.height)) + ROW_GAP;
  }
  return {
    width: Math.max(0, ...placed.map(({ x, box }) => x + box.width)),
    height: Math.max(0, y - ROW_GAP),
    nodes: placed,
    edges: [],
    inferred: [],
    captions: captionsOf(placed),
    connectors: placed.slice(1).map((to, index) => connect(placed[index] ?? to, to)),
    asText: true,
    simplified: false,
  };
}

/** Fills rows up to the width of this many calls; an expanded delegate takes the space it needs. */
function wrap(nodes: readonly GraphNode[], width: number, columns: number): GraphNode[][] {
  const rows: GraphNode[][] = [];
  let left = 0;
  for (const node of nodes) {
    const needed = Math.max(width, node.box.width) + GAP;
    const row = rows.at(-1);
    if (row && needed <= left) {
      row.push(node);
      left -= needed;
    } else {
      rows.push([node]);
      left = columns * (width + GAP) - needed;
    }
  }
  return rows;
}

/**
 * Headings of iterations above their calls, again in each row; none for a single iteration, or one call per iteration.
 */
function captionsOf(placed: readonly PlacedNode[]): Caption[] {
  const iterations = new Set(placed.map(({ node }) => node.iteration)).size;
  if (iterations <= 1 || iterations === placed.length) return [];
  const captions: Caption[] = [];
  for (const { node, box, x, y } of placed) {
    const before = captions.at(-1);
    if (before?.number === node.iteration && before.y === y - CAPTION) before.width = x + box.width - before.x;
    else captions.push({ kind: "iteration", number: node.iteration, x, y: y - CAPTION, width: box.width });
  }
  return captions;
}

/** A line from card to card; from the end of a row it returns between the rows. */
function connect(from: PlacedNode, to: PlacedNode): Point[] {
  const start = { x: from.x + from.box.width, y: middle(from) };
  const end = { x: to.x, y: middle(to) };
  if (to.x > from.x)
    return start.y === end.y
      ? [start, end]
      : [start, { x: to.x - GAP / 2, y: start.y }, { x: to.x - GAP / 2, y: end.y }, end];
  const out = start.x + GAP / 3;
  const back = end.x - GAP / 3;
  const between = to.y - CAPTION - ROW_GAP / 2 + 4;
  return [start, { x: out, y: start.y }, { x: out, y: between }, { x: back, y: between }, { x: back, y: end.y }, end];
}

/** The cards of a row are connected at the height of their titles. */
function middle({ y, box }: PlacedNode): number {
  return y + box.top + CARD.padding + CARD.title / 2 + 1;
}
