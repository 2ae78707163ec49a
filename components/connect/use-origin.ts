"use client";

import { useSyncExternalStore } from "react";

/** A page does not move while it is open. */
const neverChanges = () => () => undefined;

/** This server's address as the browser sees it. What the server takes it for stands there until the page runs. */
export function useOrigin(assumed: string): string {
  return useSyncExternalStore(
    neverChanges,
    () => window.location.origin,
    () => assumed,
  );
}
