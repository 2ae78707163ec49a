"use client";

import { useSyncExternalStore } from "react";

/** Whether a media query matches, such as `(width <= 1180px)`; `expected` until the page is hydrated. */
export function useMedia(asked: string, expected = false): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = matchMedia(asked);
      query.addEventListener("change", changed);
      return () => query.removeEventListener("change", changed);
    },
    () => matchMedia(asked).matches,
    () => expected,
  );
}
