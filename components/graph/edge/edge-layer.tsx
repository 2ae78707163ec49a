"use client";

import { ViewportPortal } from "@xyflow/react";
import { memo, useDeferredValue, useMemo } from "react";
import type { Reference } from "@/lib/plan/reference.ts";
import { useNear } from "../canvas/use-near.ts";
import type { Layout, PlacedEdge } from "../layout/layout.ts";
import { InferredLine } from "./inferred-line.tsx";
import { isLit } from "./light.ts";
import { passes } from "./trace.ts";
import { Trace } from "./trace-line.tsx";

interface EdgeLayerProps {
  layout: Layout;
  /** The selected path. */
  path: Reference | null;
  /** Draw only what is near the view. */
  cull: boolean;
}

/**
 * All edges of a plan in one drawing, under the calls and over the frames; the selected path's net on top. Those of a
 * large plan are drawn after its calls, so that the page answers in between.
 */
export const EdgeLayer = memo(function EdgeLayer(props: EdgeLayerProps) {
  const isTheirTurn = useDeferredValue(true, !props.cull);
  return isTheirTurn && <Edges {...props} />;
});

function Edges({ layout, path, cull }: EdgeLayerProps) {
  const near = useNear(cull);
  const isShown = ({ points }: Pick<PlacedEdge, "points">) => !near || passes(points, near);
  const shown = layout.edges.filter(isShown);
  const rivals = useMemo(() => rivalsOf(layout.edges), [layout]);
  const lit = new Set(path ? shown.filter((edge) => isLit(edge, path)) : []);
  return (
    <ViewportPortal>
      <svg className="pg-edges" width={layout.width} height={layout.height} aria-hidden="true">
        {layout.inferred.filter(isShown).map((placed) => (
          <InferredLine key={`${placed.to.id} ${placed.mark}`} placed={placed} />
        ))}
        {[...shown.filter((edge) => !lit.has(edge)), ...lit].map((edge) => (
          <Trace key={keyOf(edge)} placed={edge} rivals={rivals.get(pillOf(edge))} lit={lit.has(edge)} />
        ))}
      </svg>
    </ViewportPortal>
  );
}

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
