"use client";

import { useReactFlow, useStore } from "@xyflow/react";
import { useCallback, useEffect, useRef } from "react";
import type { Layout } from "../layout/layout.ts";
import { firstLook, wholeGraph } from "./viewport.ts";

/** How long a move of the view takes, ms, as `--t-move`; none where the reader wants no motion. */
export function moveDuration(): number {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 200;
}

/**
 * Keeps the graph in view: as a first look until the reader moves it, then as the reader has it, until another plan
 * (`identity`) is shown.
 */
export function useFraming(
  layout: Layout | undefined,
  identity: string,
): { fit(): void; onMove(event: unknown): void } {
  const { setViewport } = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const moved = useRef<string | null>(null);

  // React Flow's view is d3's, outside of React: it is told where to look when the layout or the pane changes.
  useEffect(() => {
    // Without a width there is no picture, as while the table is shown: the next one is looked at anew.
    if (width === 0) moved.current = null;
    if (!layout || width === 0 || moved.current === identity) return;
    moved.current = null;
    void setViewport(firstLook(layout, { width, height }));
  }, [layout, width, height, identity, setViewport]);

  const fit = useCallback(() => {
    if (!layout) return;
    moved.current = identity;
    void setViewport(wholeGraph(layout, { width, height }), { duration: moveDuration() });
  }, [layout, width, height, identity, setViewport]);

  // Moves that the program makes come without an event.
  const onMove = useCallback(
    (event: unknown) => {
      if (event !== null) moved.current = identity;
    },
    [identity],
  );
  return { fit, onMove };
}
