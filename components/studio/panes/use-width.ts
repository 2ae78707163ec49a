"use client";

import { useMedia } from "@/components/ui/use-media.ts";
import type { Width } from "./pane-sizes.ts";
import { useNarrow } from "./use-narrow.ts";

/** How wide the window is. The server paints the wide layout. */
export function useWidth(): Width {
  const isNarrow = useNarrow();
  // Up to here the panes are narrower at first, so that the graph keeps its room.
  const isMedium = useMedia("(width <= 1360px)");
  return isNarrow ? "narrow" : isMedium ? "medium" : "wide";
}
