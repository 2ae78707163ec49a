"use client";

import { ViewportPortal } from "@xyflow/react";
import { memo, useMemo } from "react";
import type { Reference } from "@/lib/plan/reference.ts";
import type { Layout, PlacedEdge } from "./layout.ts";
import { isLit } from "./light.ts";
import { Trace } from "./trace-line.tsx";
import { type Region, touches, useNear } from "./use-near.ts";

interface EdgeLayerProps {
  layout: Layout;
  /** The selected path. */
  path: Reference | null;
  /** Draw only what is near the view. */
  cull: boolean;
}

/** All edges of a plan in one drawing, under the calls and over the frames; the selected path's net on top. */
export const EdgeLayer = memo(function EdgeLayer({ layout, path, cull }: EdgeLayerProps) {
  const near = useNear(cull);
  const bounds = useMemo(() => (cull ? layout.edges.map(boundsOf) : null), [layout, cull]);
  const shown = layout.edges.filter((_, index) => {
    const box = bounds?.[index];
    return !box || !near || touches(box, near);
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

function boundsOf({ points }: PlacedEdge): Region {
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}
