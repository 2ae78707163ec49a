import type { Layout } from "../layout/layout.ts";
import { firstLook, type Size } from "./viewport.ts";

/** The room that mini-map and legend take in the lower left corner, px. */
export const OVERVIEW = { width: 330, height: 134, margin: 14 } as const;

/** Below this width of the pane they stay away until they are called. */
const LEAST_WIDTH = 700;

/** A plan of fewer calls is its own map. */
const LEAST_CALLS = 5;

/** Tells whether the first look at a layout leaves the lower left corner free of calls and edges. */
export function isFree(layout: Layout, pane: Size): boolean {
  if (pane.width < LEAST_WIDTH || layout.asText || layout.nodes.length < LEAST_CALLS) return false;
  const { x, y, zoom } = firstLook(layout, pane);
  const right = (OVERVIEW.margin * 2 + OVERVIEW.width - x) / zoom;
  const top = (pane.height - OVERVIEW.margin * 2 - OVERVIEW.height - y) / zoom;
  const freeOfCalls = layout.nodes.every((node) => node.x > right || node.y + node.box.height < top);
  return freeOfCalls && layout.edges.every(({ points }) => points.every((point) => point.x > right || point.y < top));
}
