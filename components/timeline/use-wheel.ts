"use client";

import { type RefObject, useEffect } from "react";
import type { Chart } from "./chart/chart.ts";

/** A wheel notch of 100 pixels zooms by a quarter. */
const ZOOM_PER_PIXEL = 0.0022;
/** Browsers also report lines or pages. */
const LINE = 16;

/** The wheel scrolls the timeline; with Ctrl (or a pinch) it zooms around the pointer. */
export function useWheel(chart: Chart, plot: RefObject<HTMLElement | null>): void {
  // React's wheel listeners are passive, so they cannot prevent page scroll and zoom.
  useEffect(() => {
    const element = plot.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE;
      if (event.ctrlKey)
        chart.zoomBy(
          Math.exp(-event.deltaY * unit * ZOOM_PER_PIXEL),
          event.clientX - element.getBoundingClientRect().left,
        );
      else if (chart.isFitted) return;
      else chart.panBy((event.deltaX + event.deltaY) * unit);
      event.preventDefault();
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [chart, plot]);
}
