"use client";

import { useReactFlow, useStoreApi } from "@xyflow/react";
import { useCallback } from "react";
import type { PlacedNode } from "../layout/layout.ts";
import { moveDuration } from "./use-fit-view.ts";

/** Scrolls a node into view with the smallest change. */
export function useShowNode(): (placed: PlacedNode) => Promise<void> {
  const { setViewport } = useReactFlow();
  const store = useStoreApi();
  return useCallback(
    async ({ x, y, box }) => {
      const { transform, width, height } = store.getState();
      const [left, top, zoom] = transform;
      const next = {
        x: left + intoView(left + x * zoom, box.width * zoom, width),
        y: top + intoView(top + y * zoom, box.height * zoom, height),
        zoom,
      };
      if (next.x !== left || next.y !== top) await setViewport(next, { duration: moveDuration() });
    },
    [setViewport, store],
  );
}

/** How far a range must move to be inside the pane with a margin; a range that is too large shows its start. */
function intoView(start: number, size: number, pane: number): number {
  const margin = 24;
  const end = start + size;
  if (end > pane - margin) return Math.max(pane - margin - end, margin - start);
  return start < margin ? margin - start : 0;
}
