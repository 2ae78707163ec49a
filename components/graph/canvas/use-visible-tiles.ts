"use client";

import { useStore } from "@xyflow/react";
import { useMemo } from "react";

/** A rectangle of the graph, px. */
export interface Region {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Visible elements are selected in tiles of this size, px, so that panning rarely changes them. */
const SQUARE = 1_200;

/** The visible tiles and a margin of one; null when everything is rendered. */
export function useVisibleTiles(cull: boolean): Region | null {
  const squares = useStore(({ transform: [x, y, zoom], width, height }) =>
    cull ? squaresOf(-x / zoom, -y / zoom, width / zoom, height / zoom) : null,
  );
  return useMemo(() => {
    if (squares === null) return null;
    const [left = 0, top = 0, right = 0, bottom = 0] = squares.split(" ").map(Number);
    return { left, top, right, bottom };
  }, [squares]);
}

/** Whether a rectangle overlaps the area. */
export function touches(one: Region, other: Region): boolean {
  return one.right >= other.left && one.left <= other.right && one.bottom >= other.top && one.top <= other.bottom;
}

/** A string, which is cheap to compare. */
function squaresOf(x: number, y: number, width: number, height: number): string {
  const before = (value: number) => (Math.floor(value / SQUARE) - 1) * SQUARE;
  const after = (value: number) => (Math.ceil(value / SQUARE) + 1) * SQUARE;
  return [before(x), before(y), after(x + width), after(y + height)].join(" ");
}
