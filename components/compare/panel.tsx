"use client";

import { useTranslations } from "next-intl";
import { createContext, type ReactNode, useContext, useRef } from "react";
import { DifferenceNav } from "./steps/difference-nav.tsx";
import { usePlace } from "./use-place.ts";

/** Set by keyboard navigation between panels: the first or last difference gets the focus. */
export const ArrivalContext = createContext<{ by: 1 | -1 | null }>({ by: null });

interface PanelProps {
  count: number;
  /** Equal parts can be hidden. */
  narrows?: boolean;
  /** Additional controls of the toolbar. */
  bar?: ReactNode;
  /** Content above the differences. */
  picture?: ReactNode;
  children: ReactNode;
}

/** A panel with a toolbar that leads through its differences. Each has `data-difference`. */
export function Panel({ count, narrows = false, bar, picture, children }: PanelProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const arrival = useContext(ArrivalContext);
  const jump = (by: 1 | -1) => {
    const stops = [...(scroller.current?.querySelectorAll<HTMLElement>("[data-difference]") ?? [])];
    const at = stops.findIndex((stop) => stop.contains(document.activeElement));
    const next = stops.at(at < 0 ? (by === 1 ? 0 : -1) : (at + by) % stops.length);
    next?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: "center" });
  };
  const arrive = (element: HTMLDivElement | null) => {
    scroller.current = element;
    if (!element || arrival.by === null) return;
    jump(arrival.by);
    arrival.by = null;
  };
  return (
    <div
      className={`grid h-full min-h-0 ${picture ? "grid-rows-[auto_minmax(220px,3fr)_minmax(160px,2fr)] overflow-y-auto" : "grid-rows-[auto_minmax(0,1fr)]"}`}
    >
      <div className="flex min-h-[var(--h-toolbar)] flex-wrap items-center gap-x-4 gap-y-1 border-line border-b px-3 py-1">
        {bar}
        {narrows && <OnlyDifferences />}
        <span className="flex-1" />
        <DifferenceNav count={count} onJump={jump} />
      </div>
      {picture && <div className="min-h-0 border-line border-b">{picture}</div>}
      <div
        ref={arrive}
        tabIndex={0}
        className="relative min-h-0 overflow-y-auto outline-none focus-visible:shadow-[inset_0_0_0_2px_var(--accent)]"
      >
        {children}
      </div>
    </div>
  );
}

function OnlyDifferences() {
  const t = useTranslations("compare");
  const [{ only }, change] = usePlace();
  return (
    <label className="inline-flex min-h-6 cursor-pointer items-center gap-1.5">
      <input type="checkbox" checked={only} onChange={({ target }) => change({ only: target.checked })} />
      {t("only")}
    </label>
  );
}
