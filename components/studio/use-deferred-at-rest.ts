"use client";

import { useDeferredValue } from "react";
import { useStudio } from "./use-studio.ts";

/**
 * A value that may lag behind what was done last. Not while the playhead moves: a pane has frames of its own then, and to
 * show the earlier value first would be a second rendering in each of them.
 */
export function useDeferredAtRest<T>(value: T): T {
  const moves = useStudio((state) => state.dragging || state.playing);
  const deferred = useDeferredValue(value);
  return moves ? value : deferred;
}
