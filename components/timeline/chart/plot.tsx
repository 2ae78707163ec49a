"use client";

import { useFormatter, useTranslations } from "next-intl";
import { type PointerEvent, type RefObject, useState } from "react";
import { useStudio } from "@/components/studio/use-studio.ts";
import type { TimelineModel } from "@/lib/session/timeline/model.ts";
import { rowAt } from "@/lib/session/timeline/timeline.ts";
import { useEventName } from "../use-event-name.ts";
import { useScrub } from "../use-scrub.ts";
import type { Chart } from "./chart.ts";
import { type Hover, HoverCard } from "./hover-card.tsx";

interface PlotProps {
  plot: RefObject<HTMLDivElement | null>;
  chart: Chart;
  /** Of all lanes, in pixels. */
  height: number;
  model: TimelineModel;
}

/** The lanes' element: a slider whose thumb is the playhead. The chart draws and moves its content. */
export function Plot({ plot, chart, height, model }: PlotProps) {
  const t = useTranslations("timeline");
  const scrub = useScrub(chart);
  const { hover, ...pointing } = useHover(chart);
  const last = useStudio((state) => state.last);
  const at = useStudio((state) => state.at);
  const valueText = useValueText(at, last);
  return (
    <div
      ref={plot}
      className="timeline-plot"
      style={{ height }}
      role="slider"
      tabIndex={0}
      aria-label={t("position")}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={at}
      aria-valuetext={valueText}
      {...scrub}
      {...pointing}
      onPointerDown={(event) => {
        pointing.onPointerDown();
        scrub.onPointerDown(event);
      }}
    >
      <canvas />
      <div data-part="brought" className="timeline-brought" hidden>
        <span>{t("brought")}</span>
      </div>
      <div data-part="veil" className="timeline-veil" />
      <div data-part="selection" className="timeline-selection" hidden />
      <div data-part="range" className="timeline-range" hidden>
        <span data-part="range-text" />
      </div>
      <div data-part="head" className="timeline-head">
        <b data-part="flag" />
      </div>
      {hover && <HoverCard hover={hover} model={model} />}
    </div>
  );
}

function useValueText(at: number, last: number): string {
  const t = useTranslations("timeline");
  const format = useFormatter();
  const nameOf = useEventName();
  const row = useStudio((state) => state.timeline && rowAt(state.timeline, state.at));
  const what = row ? nameOf(row.type) : "none";
  const time = row?.time ? format.dateTime(row.time, { timeStyle: "medium", hour12: false }) : "none";
  return t("valueText", { at, last, what, time });
}

/** Follows the pointer over the lanes, except while dragging. */
function useHover(chart: Chart) {
  const [hover, setHover] = useState<Hover | null>(null);
  const clear = () => setHover(null);
  return {
    hover,
    onPointerDown: clear,
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (event.buttons !== 0 || event.pointerType === "touch") return clear();
      const { left, top } = event.currentTarget.getBoundingClientRect();
      const hit = chart.hitAt(event.clientX - left, event.clientY - top);
      setHover(hit && { hit, x: event.clientX, y: event.clientY });
    },
    onPointerLeave: clear,
  };
}
