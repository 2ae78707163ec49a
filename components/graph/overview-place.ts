import type { Layout } from "./layout.ts";
import { firstLook, type Size } from "./viewport.ts";

/** The room that mini-map and legend take in the lower left corner, px. */
export const OVERVIEW = { width: 330, height: 134, margin: 14 } as const;

/** Below this width of the pane they stay away until they are called. */
const LEAST_WIDTH = 700;

/** Tells whether the first look at a layout leaves the lower left corner free of calls. */
export function isFree(layout: Layout, pane: Size): boolean {
  if (pane.width < LEAST_WIDTH) return false;
  const { x, y, zoom } = firstLook(layout, pane);
  const right = OVERVIEW.margin * 2 + OVERVIEW.width;
  const top = pane.height - OVERVIEW.margin * 2 - OVERVIEW.height;
  return layout.nodes.every((node) => x + node.x * zoom > right || y + (node.y + node.box.height) * zoom < top);
}
