"use client";

import { type PointerEvent, useRef } from "react";
import type { Chart } from "./chart/chart.ts";

/** The width of the brush's resize handles. */
const HANDLE = 6;
/** A shorter drag is a click, px. */
const CLICK = 4;

interface Pull {
  left: number;
  grabbed: "whole" | "from" | "to" | "new";
  startX: number;
  from: number;
  to: number;
}

/** The overview: drag the brush or its edges, or draw a new one; a click centers it. */
export function useBrush(chart: Chart) {
  const pull = useRef<Pull | null>(null);
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const { left } = event.currentTarget.getBoundingClientRect();
      const startX = event.clientX - left;
      const { from, to } = chart.brush();
      pull.current = { left, startX, from, to, grabbed: grab(startX, from, to, chart.isFitted) };
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (!pull.current) return;
      const { left, grabbed, startX, from, to } = pull.current;
      const x = event.clientX - left;
      const by = x - startX;
      if (grabbed === "whole") chart.showBrush(from + by, to + by);
      else if (grabbed === "from") chart.showBrush(Math.min(x, to - CLICK), to);
      else if (grabbed === "to") chart.showBrush(from, Math.max(x, from + CLICK));
      else if (Math.abs(by) > CLICK) chart.showBrush(Math.min(x, startX), Math.max(x, startX));
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      if (!pull.current) return;
      const { left, grabbed, startX, from, to } = pull.current;
      pull.current = null;
      const half = (to - from) / 2;
      if (grabbed === "new" && Math.abs(event.clientX - left - startX) <= CLICK)
        chart.showBrush(startX - half, startX + half);
    },
  };
}

function grab(x: number, from: number, to: number, isWhole: boolean): Pull["grabbed"] {
  if (isWhole) return "new";
  if (Math.abs(x - from) <= HANDLE) return "from";
  if (Math.abs(x - to) <= HANDLE) return "to";
  return x > from && x < to ? "whole" : "new";
}
