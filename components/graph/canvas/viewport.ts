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

/** Zooms of the initial viewport: the least that shows the whole plan, the least otherwise, the most. */
export interface Look {
  whole: number;
  least: number;
  most: number;
}

/** Initial zoom: at most 100 %, and readable; a little smaller when that shows the last wave. */
export const FIRST_LOOK: Look = { whole: 0.75, least: 0.85, most: 1 };

/** Who edits a plan reads all of it: no text is smaller than at 100 %. */
export const EDITED_LOOK: Look = { whole: 1, least: 1, most: 1 };

const MARGIN = 16;

/**
 * The initial viewport: the whole plan if readable, else its start. Recorded calls (`asText`) start at the top left,
 * like text.
 */
export function initialViewport(
  graph: Size & { asText: boolean },
  pane: Size,
  { whole, least: readable }: Look = FIRST_LOOK,
): Viewport {
  const wide = (pane.width - MARGIN * 2) / graph.width;
  const least = wide >= whole ? Math.min(wide, readable) : readable;
  const look = place(graph, pane, least);
  return graph.asText ? { ...look, x: MARGIN, y: MARGIN } : look;
}

/** The whole plan, within the zoom limits. */
export function wholeGraph(graph: Size, pane: Size): Viewport {
  return place(graph, pane, ZOOM.least);
}

function place(graph: Size, pane: Size, least: number): Viewport {
  const room = { width: Math.max(1, pane.width - MARGIN * 2), height: Math.max(1, pane.height - MARGIN * 2) };
  const fitting = Math.min(room.width / graph.width, room.height / graph.height);
  const zoom = Math.min(FIRST_LOOK.most, Math.max(least, fitting));
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
