"use client";

import { useStore, ViewportPortal } from "@xyflow/react";
import { memo, useMemo } from "react";
import type { Reference } from "@/lib/plan/reference.ts";
import type { Layout, PlacedEdge } from "./layout.ts";
import { isLit } from "./light.ts";
import { Trace } from "./trace-line.tsx";

interface EdgeLayerProps {
  layout: Layout;
  /** The selected path. */
  path: Reference | null;
  /** Draw only what is near the view. */
  cull: boolean;
}

/** Edges come and go in squares of this side, px of the graph, so that panning seldom draws anything anew. */
const SQUARE = 1_200;

/** All edges of a plan in one drawing, under the calls and over the frames; the selected path's net on top. */
export const EdgeLayer = memo(function EdgeLayer({ layout, path, cull }: EdgeLayerProps) {
  const view = useStore(({ transform: [x, y, zoom], width, height }) =>
    cull ? squaresOf(-x / zoom, -y / zoom, width / zoom, height / zoom) : "",
  );
  const bounds = useMemo(() => (cull ? layout.edges.map(boundsOf) : null), [layout, cull]);
  const [left = 0, top = 0, right = 0, bottom = 0] = view.split(" ").map(Number);
  const shown = layout.edges.filter((_, index) => {
    const box = bounds?.[index];
    return !box || (box.right >= left && box.left <= right && box.bottom >= top && box.top <= bottom);
  });
  const rivals = useMemo(() => rivalsOf(layout.edges), [layout]);
  const lit = new Set(path ? shown.filter((edge) => isLit(edge, path)) : []);
  return (
    <ViewportPortal>
      <svg className="pg-edges" width={layout.width} height={layout.height} aria-hidden="true">
        {[...shown.filter((edge) => !lit.has(edge)), ...lit].map((edge) => (
          <Trace key={keyOf(edge)} placed={edge} rivals={rivals.get(pillOf(edge))} lit={lit.has(edge)} />
        ))}
      </svg>
    </ViewportPortal>
  );
});

function keyOf({ from, output, to, pill }: PlacedEdge): string {
  return [from.id, output, to.id, pill].join(" ");
}

/** Edges by the pill where they end, where there are several: a path that one of several calls writes. */
function rivalsOf(edges: readonly PlacedEdge[]): ReadonlyMap<string, readonly PlacedEdge[]> {
  const byPill = Map.groupBy(edges, pillOf);
  return new Map([...byPill].filter(([, ending]) => ending.length > 1));
}

function pillOf({ to, pill }: PlacedEdge): string {
  return `${to.id} ${pill}`;
}

/** The squares that a part of the graph touches, and one more on each side, as text, so that it is compared cheaply. */
function squaresOf(x: number, y: number, width: number, height: number): string {
  const before = (value: number) => (Math.floor(value / SQUARE) - 1) * SQUARE;
  const after = (value: number) => (Math.ceil(value / SQUARE) + 1) * SQUARE;
  return [before(x), before(y), after(x + width), after(y + height)].join(" ");
}

function boundsOf({ points }: PlacedEdge): { left: number; right: number; top: number; bottom: number } {
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}
