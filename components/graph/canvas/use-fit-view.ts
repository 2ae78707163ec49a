"use client";

import { useReactFlow, useStore } from "@xyflow/react";
import { useCallback, useEffect, useRef } from "react";
import type { Layout, PlacedNode } from "../layout/layout.ts";
import { type Extent, initialViewport, type Size, type Viewport, wholeGraph } from "./viewport.ts";

/** The duration of a viewport change, ms, as `--t-move`; 0 with reduced motion. */
export function moveDuration(): number {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 180;
}

/** The initial viewport of a layout, with the node that matters, if it has one. */
export function firstViewport(layout: Layout, pane: Size, focus: PlacedNode | null): Viewport {
  const { width, height, asText, nodes } = layout;
  return initialViewport({ width, height, asText, columns: columnsOf(nodes) }, pane, focus && extentOf(focus));
}

/** The columns of calls: a large wave has several. */
function columnsOf(nodes: readonly PlacedNode[]): { x: number; width: number }[] {
  const columns: { x: number; width: number }[] = [];
  for (const { x, box } of nodes.filter(({ depth }) => depth === 0).toSorted((a, b) => a.x - b.x)) {
    const open = columns.at(-1);
    if (open && x < open.x + open.width) open.width = Math.max(open.width, x + box.width - open.x);
    else columns.push({ x, width: box.width });
  }
  return columns;
}

function nothing(): null {
  return null;
}

function extentOf({ x, y, box }: PlacedNode): Extent {
  return { x, y, width: box.width, height: box.height };
}

/**
 * Fits the graph until the reader moves it, and again for another plan (`identity`). `focusOf` has the node that has to
 * be in view; it is asked only when the graph is fitted, so that nothing moves with the step.
 */
export function useFitView(
  layout: Layout | undefined,
  identity: string,
  focusOf: (layout: Layout) => PlacedNode | null = nothing,
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
    void setViewport(firstViewport(layout, { width, height }, focusOf(layout)));
  }, [layout, width, height, identity, focusOf, setViewport]);

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
