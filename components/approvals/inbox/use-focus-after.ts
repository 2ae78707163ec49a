"use client";

import { useCallback, useEffect, useReducer, useRef } from "react";
import { isOnScreen } from "./on-screen.ts";

/** Gives the focus to the first of some elements, by their ids, that is on screen once the page is drawn again. */
export function useFocusAfter(): (...ids: string[]) => void {
  const wanted = useRef<string[]>([]);
  const [, draw] = useReducer((count: number) => count + 1, 0);
  // The outside system is the browser's focus; without a wish there is nothing to do.
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
