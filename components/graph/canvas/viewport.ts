/** A place in the graph and how large it is drawn, as React Flow has it. */
export interface Viewport {
  x: number;
  y: number;
  zoom: number;
}

export interface Size {
  width: number;
  height: number;
}

/** Zoom by the reader goes from here … to here. 5,000 calls on screen at once would pan at 10 frames/s. */
export const ZOOM = { least: 0.2, most: 1.5 } as const;

/**
 * The first look: never larger than life, and never smaller than texts can be read; a little smaller where that shows the
 * last wave too, which would be cut off otherwise.
 */
const FIRST_LOOK = { whole: 0.75, least: 0.85, most: 1 } as const;

const MARGIN = 16;

/**
 * Where the first look goes: all of it when it is readable so, else its beginning, from where one pans. Recorded
 * calls (`asText`) begin at the top left, as text does.
 */
export function firstLook(graph: Size & { asText: boolean }, pane: Size): Viewport {
  const wide = (pane.width - MARGIN * 2) / graph.width;
  const least = wide >= FIRST_LOOK.whole ? Math.min(wide, FIRST_LOOK.least) : FIRST_LOOK.least;
  const look = place(graph, pane, least);
  return graph.asText ? { ...look, x: MARGIN, y: MARGIN } : look;
}

/** All of the graph, as far as the zoom goes. */
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

/** How much of a node is drawn at a zoom: far out, pills go first, then parameters, then names. */
export type Detail = "full" | "cards" | "names" | "marks";

export function detailAt(zoom: number): Detail {
  if (zoom >= 0.6) return "full";
  if (zoom >= 0.45) return "cards";
  return zoom >= 0.3 ? "names" : "marks";
}
