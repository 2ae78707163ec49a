"use client";

import { useSyncExternalStore } from "react";

/** Below this the thread folds to a rail: thread, graph and inspector no longer fit side by side at a readable width. */
const QUERY = "(width <= 1180px)";

/** Whether the window is narrow. The server paints the wide layout. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = matchMedia(QUERY);
      query.addEventListener("change", changed);
      return () => query.removeEventListener("change", changed);
    },
    () => matchMedia(QUERY).matches,
    () => false,
  );
}
