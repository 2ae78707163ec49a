"use client";

import { useTranslations } from "next-intl";
import { memo } from "react";
import { Line, type Lit } from "./map-band.tsx";
import type { Rail } from "./routes.ts";
import type { Visible } from "./viewport.ts";

interface MapRailsProps {
  rails: readonly Rail[];
  visible: Visible;
  at: number;
  /** The first step of each call, by key. */
  steps: ReadonlyMap<string, number>;
  selected: string | null;
  lit: Lit | null;
}

/** The lines between bands: each source's results go down a lane of the gutter, and branch off to their readers. */
export const MapRails = memo(function MapRails({ rails, visible, at, steps, selected, lit }: MapRailsProps) {
  const t = useTranslations("graph.map");
  const isLater = (keys: readonly string[]) => keys.every((key) => (steps.get(key) ?? 0) > at);
  return (
    <svg className="sm-lines sm-rails" aria-hidden="true">
      {rails.map((rail) => {
        if (rail.bottom < visible.top || (rail.start[0]?.y ?? rail.top) > visible.bottom) return null;
        const isFrom = rail.from.some((key) => key === (lit ? lit.source : selected));
        const isLit = (keys: readonly string[]) =>
          lit
            ? isFrom && keys.some((key) => lit.uses.has(key))
            : selected !== null && (isFrom || keys.includes(selected));
        const startY = rail.start.at(-1)?.y ?? rail.top;
        // Up to the last reader that is lit, and that is not yet to come.
        const ways = rail.branches.map(({ to, points }) => ({
          y: points[0]?.y ?? 0,
          later: isLater(to),
          lit: isLit(to),
        }));
        const litTo = Math.max(startY, ...ways.filter((way) => way.lit).map(({ y }) => y));
        const nowTo = Math.max(startY, ...ways.filter((way) => !way.later).map(({ y }) => y));
        const isAnyLit = litTo > startY;
        return (
          <g key={rail.id}>
            <Line points={rail.start} declared={rail.declared} later={isLater(rail.from)} lit={isAnyLit} tip={false} />
            <Line
              points={column(rail.x, startY, nowTo)}
              declared={rail.declared}
              later={false}
              lit={false}
              tip={false}
            />
            {nowTo < rail.bottom && (
              <Line
                points={column(rail.x, nowTo, rail.bottom)}
                declared={rail.declared}
                later
                lit={false}
                tip={false}
              />
            )}
            {isAnyLit && (
              <Line points={column(rail.x, startY, litTo)} declared={rail.declared} later={false} lit tip={false} />
            )}
            {rail.branches.map(
              ({ id, to, points }) =>
                (points[0]?.y ?? 0) >= visible.top &&
                (points[0]?.y ?? 0) <= visible.bottom && (
                  <Line key={id} points={points} declared={rail.declared} later={isLater(to)} lit={isLit(to)} />
                ),
            )}
            {rail.shared > 1 && rail.top >= visible.top && rail.top <= visible.bottom && (
              <text className="sm-shared" x={rail.x + 3} y={rail.top + 12}>
                {t("times", { count: rail.shared })}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
});

function column(x: number, from: number, to: number) {
  return [
    { x, y: from },
    { x, y: to },
  ];
}
