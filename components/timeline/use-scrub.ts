"use client";

import { type PointerEvent, useRef } from "react";
import { useStudioStore } from "@/components/studio/use-studio.ts";
import type { Chart } from "./chart.ts";

/** Dragging anywhere on the lanes moves the playhead. */
export function useScrub(chart: Chart) {
  const store = useStudioStore();
  const left = useRef(0);
  const seekTo = (clientX: number) => {
    const at = chart.stepAt(clientX - left.current);
    if (at !== store.getState().at) store.getState().seek(at);
  };
  const stop = () => {
    if (store.getState().dragging) store.getState().setDragging(false);
  };
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return;
      // Measured once: asking for it while dragging would lay the page out in every frame.
      left.current = event.currentTarget.getBoundingClientRect().left;
      event.currentTarget.setPointerCapture(event.pointerId);
      store.getState().setDragging(true);
      seekTo(event.clientX);
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (store.getState().dragging) seekTo(event.clientX);
    },
    onPointerUp: stop,
    onLostPointerCapture: stop,
  };
}
