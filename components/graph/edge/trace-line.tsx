"use client";

import { memo } from "react";
import { useStudio } from "@/components/studio/use-studio.ts";
import type { PlacedEdge } from "../layout/layout.ts";
import type { LinkState } from "./link-state.ts";
import { edgeState } from "./lost-pills.ts";
import { type Point, shorten, tracePath } from "./trace.ts";

/** The length of an arrowhead, and the gap before the input: larger before a bar. */
const TIP = 7;
const AT_PILL = 1;
const AT_BAR = 8;

const TELLING: ReadonlySet<LinkState> = new Set(["done", "cut"]);

interface TraceProps {
  placed: PlacedEdge;
  /** The edges that end at the same input, including this one; undefined for a single one. */
  rivals: readonly PlacedEdge[] | undefined;
  lit: boolean;
}

/** An edge for a state path from writer to reader, with right angles. */
export const Trace = memo(function Trace({ placed, rivals, lit }: TraceProps) {
  const state = useStudio(({ session }) => edgeState(session, placed));
  // Where edges meet, the arrowhead shows the value that arrived, or the missing one.
  const isOutdone = useStudio(
    ({ session }) => state === "off" && rivals?.some((edge) => TELLING.has(edgeState(session, edge))),
  );
  const output = placed.from.box.outputs[placed.output];
  const pill = placed.to.box.pills[placed.pill];
  const points = shorten(placed.points, pill?.barred ? AT_BAR : AT_PILL);
  const end = points.at(-1);
  if (!end) return null;
  const line = tracePath(shorten(points, TIP - 1));
  const look = { "data-state": state, "data-lit": lit || undefined };
  return (
    <g
      className="pg-trace"
      {...look}
      data-fallback={pill?.fallback || undefined}
      data-rail={output?.fanOut || undefined}
    >
      <path className="pg-line-path" d={line} />
      {output?.fanOut && state !== "off" && <path className="pg-rail-core" d={line} />}
      {placed.junctions.map(({ x, y }) => (
        <circle key={`${x} ${y}`} className="pg-junction" cx={x} cy={y} r={lit ? 3.4 : 2.6} />
      ))}
      {!isOutdone && <path className="pg-tip" d={`M${end.x} ${end.y}l-${TIP} -3.6v7.2z`} />}
      {state === "cut" && <Cut at={shorten(points, 16).at(-1)} />}
    </g>
  );
});

function Cut({ at }: { at: Point | undefined }) {
  return at ? <path className="pg-cut-bar" d={`M${at.x} ${at.y - 5}v10`} /> : null;
}
