"use client";

import { useDeferredValue } from "react";
import { useStudio } from "./use-studio.ts";

/**
 * A deferred value, except while the step changes: then a pane has its own frames, and rendering the earlier value
 * first would render twice in each.
 */
export function useDeferredAtRest<T>(value: T): T {
  const moves = useStudio((state) => state.dragging || state.playing);
  const deferred = useDeferredValue(value);
  return moves ? value : deferred;
}
