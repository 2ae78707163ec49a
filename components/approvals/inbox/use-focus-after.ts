"use client";

import { useCallback, useEffect, useReducer, useRef } from "react";
import { isOnScreen } from "./on-screen.ts";

/** Focuses the first visible one of some elements, by id, after the next render. */
export function useFocusAfter(): (...ids: string[]) => void {
  const wanted = useRef<string[]>([]);
  const [, draw] = useReducer((count: number) => count + 1, 0);
  // The outside system is the browser's focus.
  useEffect(() => {
    const found = wanted.current.map((id) => document.getElementById(id)).find(isOnScreen);
    wanted.current = [];
    found?.focus();
  });
  return useCallback((...ids) => {
    wanted.current = ids;
    draw();
  }, []);
}
