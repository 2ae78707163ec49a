"use client";

import { useTranslations } from "next-intl";
import { memo, useMemo } from "react";
import type { Lit } from "./map-band.tsx";
import { type Rail, sharedColumns } from "./routes.ts";
import { type Stroke, Strokes } from "./strokes.tsx";
import type { Visible } from "./viewport.ts";

interface MapRailsProps {
  rails: readonly Rail[];
  visible: Visible;
  at: number;
  selected: string | null;
  lit: Lit | null;
}

/** The lines between bands: each source's results go down a lane of the gutter, and branch off to their readers. */
export const MapRails = memo(function MapRails({ rails, visible, at, selected, lit }: MapRailsProps) {
  const t = useTranslations("graph.map");
  const columns = useMemo(() => sharedColumns(rails), [rails]);
  const isVisible = (top: number, bottom: number) => bottom >= visible.top && top <= visible.bottom;
  const shared = columns.filter(({ top, bottom }) => isVisible(top, bottom));
  const passing = rails.filter((rail) => isVisible(rail.start[0]?.y ?? rail.top, rail.bottom));
  const strokes = [
    ...shared.map(({ x, top, bottom }) => ({ ...PLAIN, points: column(x, { top, bottom }, visible) })),
    ...strokesOf(passing, { visible, at, chosen: lit ? lit.source : selected, lit }),
  ];
  return (
    <svg className="sm-lines sm-rails" aria-hidden="true">
      <Strokes strokes={strokes} />
      {shared.map(
        ({ top, count }) =>
          count > 1 && (
            <text key={top} className="sm-shared" x="37" y={top + 14}>
              {t("times", { count })}
            </text>
          ),
      )}
    </svg>
  );
});

/** `stroke-dasharray` in `session-map.css`. */
const DASHES = 4 + 3;
const PLAIN = { declared: false, later: false, lit: false, tip: false };

interface Shown {
  visible: Visible;
  at: number;
  /** The call whose lines are lit. */
  chosen: string | null;
  lit: Lit | null;
}

/** The lines of rails: of several with the same end only one, unless it is lit. */
function strokesOf(rails: readonly Rail[], { visible, at, chosen, lit }: Shown): Stroke[] {
  const strokes: Stroke[] = [];
  const ends = new Set<string>();
  for (const { from, declared, start, x, bottom, branches, isShared, seq } of rails) {
    const isFrom = chosen !== null && from.includes(chosen);
    const isLit = (to: readonly string[]) =>
      lit ? isFrom && to.some((key) => lit.uses.has(key)) : isFrom || (chosen !== null && to.includes(chosen));
    const top = start.at(-1)?.y ?? 0;
    let litTo = top;
    let nowTo = top;
    for (const { id, to, points, seq } of branches) {
      const y = points[0]?.y ?? top;
      const lights = chosen !== null && isLit(to);
      if (lights) litTo = Math.max(litTo, y);
      if (seq <= at) nowTo = Math.max(nowTo, y);
      if (y < visible.top || y > visible.bottom) continue;
      const end = `${x} ${id}`;
      if (!lights && ends.has(end)) continue;
      if (!lights) ends.add(end);
      strokes.push({ points, declared, later: seq > at, lit: lights, tip: true });
    }
    const own = { ...PLAIN, declared };
    strokes.push({ ...own, points: start, later: seq > at, lit: litTo > top });
    if (litTo > top) strokes.push({ ...own, points: column(x, { top, bottom: litTo }, visible), lit: true });
    if (isShared) continue;
    if (nowTo > top) strokes.push({ ...own, points: column(x, { top, bottom: nowTo }, visible) });
    if (bottom > nowTo) strokes.push({ ...own, points: column(x, { top: nowTo, bottom }, visible), later: true });
  }
  return strokes;
}

/**
 * The part of a vertical line in view, cut at a whole number of dashes, so that they stay where they are. A browser draws all
 * dashes of a line in each frame: over a map of 5,000 calls that left 14 frames a second.
 */
function column(x: number, { top, bottom }: Visible, visible: Visible) {
  const hidden = Math.max(0, visible.top - top);
  const from = top + hidden - (hidden % DASHES);
  return [
    { x, y: from },
    { x, y: Math.max(from, Math.min(bottom, visible.bottom)) },
  ];
}
