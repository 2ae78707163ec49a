"use client";

import { useSyncExternalStore } from "react";

/** Whether the window is as a media query asks, such as `(width <= 1180px)`. On the server it is not. */
export function useMedia(asked: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = matchMedia(asked);
      query.addEventListener("change", changed);
      return () => query.removeEventListener("change", changed);
    },
    () => matchMedia(asked).matches,
    () => false,
  );
}
