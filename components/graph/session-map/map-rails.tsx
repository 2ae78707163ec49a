"use client";

import { useTranslations } from "next-intl";
import { memo, type ReactNode, useMemo } from "react";
import { Line, type Lit } from "./map-band.tsx";
import { type Rail, sharedColumns } from "./routes.ts";
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
  return (
    <svg className="sm-lines sm-rails" aria-hidden="true">
      {columns.map(
        ({ x, top, bottom, count }) =>
          isVisible(top, bottom) && (
            <g key={top}>
              <Line points={column(x, top, bottom)} declared={false} later={false} lit={false} tip={false} />
              {count > 1 && (
                <text className="sm-shared" x={x + 3} y={top + 14}>
                  {t("times", { count })}
                </text>
              )}
            </g>
          ),
      )}
      <RailLines
        rails={rails.filter((rail) => isVisible(rail.start[0]?.y ?? rail.top, rail.bottom))}
        visible={visible}
        at={at}
        chosen={lit ? lit.source : selected}
        lit={lit}
      />
    </svg>
  );
});

interface RailLinesProps {
  rails: readonly Rail[];
  visible: Visible;
  at: number;
  /** The call whose lines are lit. */
  chosen: string | null;
  lit: Lit | null;
}

/** Each line once, however many rails share it; those that are lit are drawn last. */
function RailLines({ rails, visible, at, chosen, lit }: RailLinesProps) {
  const plain = new Map<string, ReactNode>();
  const marked: ReactNode[] = [];
  for (const { id, from, declared, start, x, bottom, branches, isShared, seq } of rails) {
    const isFrom = chosen !== null && from.includes(chosen);
    const isLit = (to: readonly string[]) =>
      lit ? isFrom && to.some((key) => lit.uses.has(key)) : isFrom || (chosen !== null && to.includes(chosen));
    const top = start.at(-1)?.y ?? 0;
    let litTo = top;
    let nowTo = top;
    for (const branch of branches) {
      const y = branch.points[0]?.y ?? top;
      const lights = chosen !== null && isLit(branch.to);
      if (lights) litTo = Math.max(litTo, y);
      if (branch.seq <= at) nowTo = Math.max(nowTo, y);
      if (y < visible.top || y > visible.bottom) continue;
      const key = lights ? `${id} ${branch.id}` : `${x} ${branch.id}`;
      const line = <Line key={key} points={branch.points} declared={declared} later={branch.seq > at} lit={lights} />;
      if (lights) marked.push(line);
      else plain.set(key, line);
    }
    const isAnyLit = litTo > top;
    const out = <Line key={id} points={start} declared={declared} later={seq > at} lit={isAnyLit} tip={false} />;
    if (isAnyLit) marked.push(out, <Column key={`${id} lit`} {...{ x, declared }} from={top} to={litTo} lit />);
    else plain.set(id, out);
    if (isShared) continue;
    if (nowTo > top) plain.set(`${id} now`, <Column key={`${id} now`} {...{ x, declared }} from={top} to={nowTo} />);
    if (bottom > nowTo)
      plain.set(`${id} later`, <Column key={`${id} later`} {...{ x, declared }} from={nowTo} to={bottom} later />);
  }
  return (
    <>
      {[...plain.values()]}
      {marked}
    </>
  );
}

interface ColumnProps {
  x: number;
  from: number;
  to: number;
  declared: boolean;
  later?: boolean;
  lit?: boolean;
}

function Column({ x, from, to, declared, later = false, lit = false }: ColumnProps) {
  return <Line points={column(x, from, to)} declared={declared} later={later} lit={lit} tip={false} />;
}

function column(x: number, from: number, to: number) {
  return [
    { x, y: from },
    { x, y: to },
  ];
}
