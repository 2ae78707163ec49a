"use client";

import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { StoreApi } from "zustand/vanilla";
import type { StudioState } from "./studio-state.ts";

/** The studio's store, provided by the studio's page. */
export const StudioContext = createContext<StoreApi<StudioState> | null>(null);

/** The store, for components that follow the current step without rendering. */
export function useStudioStore(): StoreApi<StudioState> {
  const store = useContext(StudioContext);
  if (!store) throw new Error("useStudio is used outside of the studio");
  return store;
}

/** A part of the studio's state; renders when it changes. */
export function useStudio<T>(selector: (state: StudioState) => T): T {
  return useStore(useStudioStore(), selector);
}

/** A past step is shown. A drag that comes back to the end shows the newest step when it is over: all panes move. */
export function isAtPast({ at, last, dragging, following }: StudioState): boolean {
  return at < last || (dragging && !following);
}
