"use client";

import { type Point, shorten, tracePath } from "../edge/trace.ts";

/** A line on the map. */
export interface Stroke {
  points: readonly Point[];
  declared: boolean;
  /** It leads to what is yet to come. */
  later: boolean;
  lit: boolean;
  /** It ends with an arrowhead. */
  tip: boolean;
}

const TIP = 6;
const CORNER = 6;

/** Lines: dashed if they were inferred. Those that look alike are one shape, so that they do not darken each other. */
export function Strokes({ strokes }: { strokes: readonly Stroke[] }) {
  const alike = Map.groupBy(strokes, ({ declared, later, lit }) => `${lit} ${declared} ${later}`);
  return [...alike]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([look, lines]) => (
      <g
        key={look}
        className="sm-line"
        data-declared={lines[0]?.declared || undefined}
        data-later={lines[0]?.later || undefined}
        data-lit={lines[0]?.lit || undefined}
      >
        <path className="sm-way" d={lines.map(wayOf).join("")} />
        <path className="sm-tip" d={lines.map(tipOf).join("")} />
      </g>
    ));
}

function wayOf({ points, tip }: Stroke): string {
  return tracePath(tip ? shorten(points, TIP - 1) : points, CORNER);
}

function tipOf({ points, tip }: Stroke): string {
  const end = points.at(-1);
  return tip && end ? `M${end.x} ${end.y}l-${TIP} -3.2v6.4z` : "";
}
