"use client";

import { type PointerEvent, useRef } from "react";
import { useStudioStore } from "@/components/studio/use-studio.ts";
import { rangeOf } from "@/lib/session/range.ts";
import type { Chart } from "./chart.ts";
import { selectRange } from "./use-range.ts";

/** Dragging anywhere on the lanes moves the playhead; with Shift it selects a range of steps. */
export function useScrub(chart: Chart) {
  const store = useStudioStore();
  const left = useRef(0);
  /** The step from which a range is being drawn. */
  const first = useRef<number | null>(null);
  const seekTo = (clientX: number) => {
    const at = chart.stepAt(clientX - left.current);
    if (at !== store.getState().at) store.getState().seek(at);
  };
  const drawTo = (start: number, clientX: number) =>
    rangeOf(start, chart.stepAt(clientX - left.current), store.getState().last);
  const stop = () => {
    first.current = null;
    chart.showRange(null);
    if (store.getState().dragging) store.getState().setDragging(false);
  };
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return;
      // Measured once: asking for it while dragging would lay the page out in every frame.
      left.current = event.currentTarget.getBoundingClientRect().left;
      event.currentTarget.setPointerCapture(event.pointerId);
      if (event.shiftKey) {
        first.current = chart.stepAt(event.clientX - left.current);
        return;
      }
      store.getState().setDragging(true);
      seekTo(event.clientX);
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (first.current !== null) chart.showRange(drawTo(first.current, event.clientX));
      else if (store.getState().dragging) seekTo(event.clientX);
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      if (first.current !== null) selectRange(drawTo(first.current, event.clientX));
      stop();
    },
    onLostPointerCapture: stop,
  };
}
