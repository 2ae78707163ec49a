"use client";

import { useContext, useEffect, useReducer, useState } from "react";
import { useStudio } from "@/components/studio/use-studio.ts";
import { PaceContext } from "./deferred-pane.tsx";
import { gradualTaker } from "./gradual-taker.ts";

/**
 * While the step changes, new items of a list appear a few in a frame, the last ones first: mounting a run or a plan
 * at once takes longer than a frame. At rest all are there.
 */
export function useGradually<T>(items: readonly T[], most: number, idOf: (item: T) => string): readonly T[] {
  const moves = useStudio((state) => state.dragging || state.playing);
  const pace = useContext(PaceContext);
  const [take] = useState(() => gradualTaker(idOf));
  const [, again] = useReducer((count: number) => count + 1, 0);
  const shown = take(items, moves ? most : items.length);
  const isWhole = shown.length === items.length;
  // The outside system is the browser's frames.
  useEffect(() => {
    if (isWhole) return;
    pace.inTurn(again);
    return () => pace.skip(again);
  });
  return shown;
}
