/** Position and zoom, as in React Flow. */
export interface Viewport {
  x: number;
  y: number;
  zoom: number;
}

export interface Size {
  width: number;
  height: number;
}

/** The zoom limits. 5,000 visible calls would pan at 10 frames/s. */
export const ZOOM = { least: 0.2, most: 1.5 } as const;

/** The initial zoom. Texts of the graph are 11 px at 100 %: a plan that is too large is panned, not shrunk. */
const FIRST_ZOOM = 1;
/** Whole columns may be enlarged this far, so that no other is cut off beside them. */
const LARGEST_FIRST_ZOOM = 1.2;

const MARGIN = 16;

/** A part of the graph, px at 100 %. */
export interface Extent {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Drawn extends Size {
  asText: boolean;
  /** The columns of calls, in order. */
  columns: readonly Pick<Extent, "x" | "width">[];
}

/**
 * The initial viewport: the whole plan if it fits at 100 %, else whole columns with the call that matters
 * (`focus`), or from the first. Recorded calls (`asText`) start at the top left, like text.
 */
export function initialViewport(graph: Drawn, pane: Size, focus: Extent | null = null): Viewport {
  if (graph.asText) return { x: MARGIN, y: MARGIN, zoom: FIRST_ZOOM };
  const room = pane.width - MARGIN * 2;
  const top = startOf(graph.height, pane.height, focus && { start: focus.y, size: focus.height });
  if (graph.width <= room || graph.columns.length === 0)
    return { x: Math.round(Math.max(MARGIN, (pane.width - graph.width) / 2)), y: top(FIRST_ZOOM), zoom: FIRST_ZOOM };
  const { from, to } = columnsInView(graph.columns, room, focus);
  const zoom = Math.min(LARGEST_FIRST_ZOOM, Math.max(FIRST_ZOOM, room / (to - from)));
  return { x: Math.round(MARGIN - from * zoom), y: top(zoom), zoom };
}

/** The columns that fit together with the focused one, starting as far left as possible. */
function columnsInView(columns: Drawn["columns"], room: number, focus: Extent | null): { from: number; to: number } {
  const ends = columns.map(({ x, width }) => ({ from: x, to: x + width }));
  const wanted = focus ? focus.x + focus.width : 0;
  const start = ends.find(({ from }) => wanted - from <= room) ?? ends.at(-1) ?? { from: 0, to: room };
  const last = ends.findLast(({ to }) => to - start.from <= room) ?? start;
  return { from: start.from, to: Math.max(last.to, start.to) };
}

/** Where a plan starts vertically: in the middle if it fits, else so that the focused call is in the middle. */
function startOf(height: number, pane: number, focus: { start: number; size: number } | null) {
  return (zoom: number): number => {
    const whole = height * zoom;
    if (whole <= pane - MARGIN * 2 || focus === null) return Math.round(Math.max(MARGIN, (pane - whole) / 2));
    const wanted = pane / 2 - (focus.start + focus.size / 2) * zoom;
    return Math.round(Math.min(MARGIN, Math.max(wanted, pane - MARGIN - whole)));
  };
}

/** The whole plan, within the zoom limits. */
export function wholeGraph(graph: Size, pane: Size): Viewport {
  const room = { width: Math.max(1, pane.width - MARGIN * 2), height: Math.max(1, pane.height - MARGIN * 2) };
  const fitting = Math.min(room.width / graph.width, room.height / graph.height);
  const zoom = Math.min(FIRST_ZOOM, Math.max(ZOOM.least, fitting));
  const left = (pane.width - graph.width * zoom) / 2;
  const top = (pane.height - graph.height * zoom) / 2;
  return { x: Math.round(Math.max(MARGIN, left)), y: Math.round(Math.max(MARGIN, top)), zoom };
}

/** The level of detail at a zoom: inputs are hidden first, then parameters, then names. */
export type Detail = "full" | "cards" | "names" | "marks";

export function detailAt(zoom: number): Detail {
  if (zoom >= 0.6) return "full";
  if (zoom >= 0.45) return "cards";
  return zoom >= 0.3 ? "names" : "marks";
}
