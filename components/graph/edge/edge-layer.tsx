"use client";

import { ViewportPortal } from "@xyflow/react";
import { memo, useDeferredValue, useMemo } from "react";
import type { Reference } from "@/lib/plan/reference.ts";
import { useVisibleTiles } from "../canvas/use-visible-tiles.ts";
import type { Layout, PlacedEdge, PlacedInference } from "../layout/layout.ts";
import { useEvidence } from "../node/use-evidence.ts";
import { isHighlighted } from "./highlight.ts";
import { passes, shorten, tracePath } from "./trace.ts";
import { Trace } from "./trace-line.tsx";

interface EdgeLayerProps {
  layout: Layout;
  /** The selected path. */
  path: Reference | null;
  /** Render only edges near the viewport. */
  cull: boolean;
}

/**
 * All edges in one SVG, below the calls and above the frames, with those of the selected path on top. In large plans
 * they are rendered after the calls, so that the page stays responsive.
 */
export const EdgeLayer = memo(function EdgeLayer(props: EdgeLayerProps) {
  const isTheirTurn = useDeferredValue(true, !props.cull);
  return isTheirTurn && <Edges {...props} />;
});

function Edges({ layout, path, cull }: EdgeLayerProps) {
  const near = useVisibleTiles(cull);
  const isShown = ({ points }: Pick<PlacedEdge, "points">) => !near || passes(points, near);
  const shown = layout.edges.filter(isShown);
  const rivals = useMemo(() => rivalsOf(layout.edges), [layout]);
  const lit = new Set(path ? shown.filter((edge) => isHighlighted(edge, path)) : []);
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

/** Edges that end at the same input, when several calls may write its path. */
function rivalsOf(edges: readonly PlacedEdge[]): ReadonlyMap<string, readonly PlacedEdge[]> {
  const byPill = Map.groupBy(edges, pillOf);
  return new Map([...byPill].filter(([, ending]) => ending.length > 1));
}

function pillOf({ to, pill }: PlacedEdge): string {
  return `${to.id} ${pill}`;
}

/** The length of an arrowhead, and the gap before the mark, px. */
const TIP = 7;
const AT_MARK = 1;

/** An inferred edge: dashed, from the source's card to the mark (E15). */
const InferredLine = memo(function InferredLine({ placed: { to, mark, points } }: { placed: PlacedInference }) {
  const tell = useEvidence();
  const ending = shorten(points, AT_MARK);
  const end = ending.at(-1);
  const brought = to.brought[mark];
  if (!end || !brought) return null;
  const { source, lines } = tell(brought);
  const line = tracePath(shorten(ending, TIP - 1));
  return (
    <g className="pg-inferred">
      <path className="pg-inferred-hit" d={line}>
        <title>{[source, ...lines.map(({ text }) => text)].join("\n")}</title>
      </path>
      <path className="pg-line-path" d={line} />
      <path className="pg-tip" d={`M${end.x} ${end.y}l-${TIP} -3.6v7.2z`} />
    </g>
  );
});
