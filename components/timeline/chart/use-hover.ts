"use client";

import { type PointerEvent, useState } from "react";
import type { Chart } from "./chart.ts";
import type { Hover } from "./hover-card.tsx";

/** Follows the pointer over the lanes, not while it drags. */
export function useHover(chart: Chart) {
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
