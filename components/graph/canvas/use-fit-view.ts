"use client";

import { useReactFlow, useStore } from "@xyflow/react";
import { useCallback, useEffect, useRef } from "react";
import type { Layout } from "../layout/layout.ts";
import { FIRST_LOOK, initialViewport, type Look, wholeGraph } from "./viewport.ts";

/** The duration of a viewport change, ms, as `--t-move`; 0 with reduced motion. */
export function moveDuration(): number {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 200;
}

/** Fits the graph until the reader moves it, and again for another plan (`identity`). `look` has its zooms. */
export function useFitView(
  layout: Layout | undefined,
  identity: string,
  look: Look = FIRST_LOOK,
): { fit(): void; onMove(event: unknown): void } {
  const { setViewport } = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const moved = useRef<string | null>(null);

  // React Flow's viewport is d3-zoom's, outside of React: it is set when the layout or the pane changes.
  useEffect(() => {
    // Without a width the graph is hidden, as behind the table; it is fitted again when shown.
    if (width === 0) moved.current = null;
    if (!layout || width === 0 || moved.current === identity) return;
    moved.current = null;
    void setViewport(initialViewport(layout, { width, height }, look));
  }, [layout, width, height, identity, look, setViewport]);

  const fit = useCallback(() => {
    if (!layout) return;
    moved.current = identity;
    void setViewport(wholeGraph(layout, { width, height }), { duration: moveDuration() });
  }, [layout, width, height, identity, setViewport]);

  // Programmatic changes have no event.
  const onMove = useCallback(
    (event: unknown) => {
      if (event !== null) moved.current = identity;
    },
    [identity],
  );
  return { fit, onMove };
}
