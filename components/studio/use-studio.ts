"use client";

import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { StoreApi } from "zustand/vanilla";
import type { StudioState } from "./studio-state.ts";

/** Holds the studio's store; provided by the studio's page. */
export const StudioContext = createContext<StoreApi<StudioState> | null>(null);

/** The store itself, for what follows the playhead without rendering. */
export function useStudioStore(): StoreApi<StudioState> {
  const store = useContext(StudioContext);
  if (!store) throw new Error("useStudio is used outside of the studio");
  return store;
}

/** A part of the studio's state; renders again when that part changes. */
export function useStudio<T>(selector: (state: StudioState) => T): T {
  return useStore(useStudioStore(), selector);
}
