"use client";

import { useSyncExternalStore } from "react";
import type { Width } from "./pane-sizes.ts";
import { useNarrow } from "./use-narrow.ts";

/** Up to here the panes are narrower at first, so that the graph keeps its room. */
const QUERY = "(width <= 1360px)";

/** How wide the window is. The server paints the wide layout. */
export function useWidth(): Width {
  const isNarrow = useNarrow();
  const isMedium = useSyncExternalStore(
    (changed) => {
      const query = matchMedia(QUERY);
      query.addEventListener("change", changed);
      return () => query.removeEventListener("change", changed);
    },
    () => matchMedia(QUERY).matches,
    () => false,
  );
  return isNarrow ? "narrow" : isMedium ? "medium" : "wide";
}
