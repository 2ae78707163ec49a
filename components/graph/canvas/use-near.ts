"use client";

import { useStore } from "@xyflow/react";
import { useMemo } from "react";

/** A part of the graph, px. */
export interface Region {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** What is drawn comes and goes in squares of this side, px of the graph, so that panning seldom draws anything anew. */
const SQUARE = 1_200;

/** The squares that are in view, and one more on each side; null where all is drawn. */
export function useNear(cull: boolean): Region | null {
  const squares = useStore(({ transform: [x, y, zoom], width, height }) =>
    cull ? squaresOf(-x / zoom, -y / zoom, width / zoom, height / zoom) : null,
  );
  return useMemo(() => {
    if (squares === null) return null;
    const [left = 0, top = 0, right = 0, bottom = 0] = squares.split(" ").map(Number);
    return { left, top, right, bottom };
  }, [squares]);
}

/** Tells whether something touches a part of the graph. */
export function touches(one: Region, other: Region): boolean {
  return one.right >= other.left && one.left <= other.right && one.bottom >= other.top && one.top <= other.bottom;
}

/** As text, so that it is compared cheaply. */
function squaresOf(x: number, y: number, width: number, height: number): string {
  const before = (value: number) => (Math.floor(value / SQUARE) - 1) * SQUARE;
  const after = (value: number) => (Math.ceil(value / SQUARE) + 1) * SQUARE;
  return [before(x), before(y), after(x + width), after(y + height)].join(" ");
}
