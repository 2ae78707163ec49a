"use client";

import { useTranslations } from "next-intl";
import { memo, type PointerEvent, type RefObject, useEffect, useMemo, useRef } from "react";
import { STATUS, type StatusToken, shownStatus } from "@/components/ui/status.ts";
import { hasFailed } from "./bands.ts";
import { type MapLayout, SIZES, wordsWidth } from "./layout.ts";

const WIDTH = 56;
const PADDING = 7;
/** The map is drawn at most this large. */
const MOST = 0.2;

interface MapStripProps {
  layout: MapLayout;
  height: number;
  /** Where the playhead crosses the map; null at the end. */
  head: number | null;
  scroller: RefObject<HTMLElement | null>;
  onScroll(listener: () => void): () => void;
}

/** The whole session beside the map: failures stay red however small they are. Dragging scrolls. */
export const MapStrip = memo(function MapStrip({ layout, height, head, scroller, onScroll }: MapStripProps) {
  const t = useTranslations("graph.map");
  const scale = Math.min(MOST, (height - 2 * PADDING) / Math.max(1, layout.height));
  const { marks, failures, alerts } = useMemo(() => shapesOf(layout, scale), [layout, scale]);
  const view = useRef<SVGRectElement>(null);

  // It follows each scrolled frame without a render.
  useEffect(() => {
    const follow = () => {
      const pane = scroller.current;
      if (!pane || !view.current) return;
      view.current.setAttribute("y", String(PADDING + pane.scrollTop * scale));
      view.current.setAttribute("height", String(Math.min(layout.height, pane.clientHeight) * scale));
    };
    follow();
    return onScroll(follow);
  }, [scroller, onScroll, scale, layout]);

  const move = (event: PointerEvent<SVGSVGElement>) => {
    const pane = scroller.current;
    if (event.buttons !== 1 || !pane) return;
    if (event.type === "pointerdown") event.currentTarget.setPointerCapture(event.pointerId);
    const y = event.clientY - event.currentTarget.getBoundingClientRect().top - PADDING;
    pane.scrollTop = y / scale - pane.clientHeight / 2;
  };
  return (
    <svg
      className="sm-strip"
      width={WIDTH}
      height={height}
      role="img"
      aria-label={t("strip")}
      onPointerDown={move}
      onPointerMove={move}
    >
      {[...marks].map(([token, path]) => (
        <path key={token} className="sm-strip-mark" data-status={token} d={path} />
      ))}
      {head !== null && (
        <rect
          className="sm-strip-later"
          x="0"
          y={PADDING + head * scale}
          width={WIDTH}
          height={Math.max(0, (layout.height - head) * scale)}
        />
      )}
      <path className="sm-strip-alert" d={alerts} />
      <path className="sm-strip-failed" d={failures} />
      <rect ref={view} className="sm-strip-view" x="1" width={WIDTH - 2} rx="3" />
      {head !== null && <path className="sm-strip-head" d={`M0 ${PADDING + head * scale}h${WIDTH}`} />}
    </svg>
  );
});

interface Shapes {
  marks: ReadonlyMap<StatusToken, string>;
  failures: string;
  alerts: string;
}

function shapesOf({ bands, tops, level, width }: MapLayout, scale: number): Shapes {
  const marks = new Map<StatusToken, string>();
  let failures = "";
  let alerts = "";
  const add = (token: StatusToken, path: string) => marks.set(token, (marks.get(token) ?? "") + path);
  const from = level === "near" ? SIZES.left : wordsWidth(width);
  const across = (WIDTH - 2 * PADDING) / Math.max(1, width - from - SIZES.right);
  for (const [index, { band, cards, marks: groups, height }] of bands.entries()) {
    const top = PADDING + (tops[index] ?? 0) * scale;
    if (band.run.alerts.length > 0) alerts += box(0, top, 3, Math.max(2, height * scale));
    if (band.failures > 0 && !band.calls.some(hasFailed)) failures += box(PADDING, top, WIDTH - 2 * PADDING, 2.5);
    if (band.calls.length === 0)
      add("planned", box(PADDING, top + (height * scale) / 2, 20, Math.min(1.5, height * scale)));
    const shapes = [
      ...cards.map(({ entry, x, y, width, height }) => ({ calls: entry.calls, x, y, width, height })),
      ...groups.map(({ calls, x, y, width }) => ({
        calls,
        x,
        y,
        width: Math.min(width, calls.length * SIZES.far.step),
        height: 16,
      })),
    ];
    for (const shape of shapes) {
      const [call] = shape.calls;
      if (!call) continue;
      const x = PADDING + (shape.x - from) * across;
      const wide = Math.max(2.5, shape.width * across - 1.5);
      const high = Math.max(1.2, shape.height * scale);
      if (shape.calls.some(hasFailed)) failures += box(x, top + shape.y * scale, Math.max(5, wide), Math.max(4, high));
      else add(STATUS[shownStatus(call)].token, box(x, top + shape.y * scale, wide, high));
    }
  }
  return { marks, failures, alerts };
}

function box(x: number, y: number, width: number, height: number): string {
  return `M${round(x)} ${round(y)}h${round(width)}v${round(height)}h${round(-width)}z`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
