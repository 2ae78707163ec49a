"use client";

import { useEffect } from "react";
import type { StoreApi } from "zustand/vanilla";
import type { StudioState } from "@/components/studio/studio-state.ts";
import { parseAt, writeAt } from "./address.ts";

/** Browsers refuse more than a hundred history changes in 30 s. */
const AT_MOST_EVERY_MS = 500;

/**
 * Writes `?at=` into the address when the step rests, and follows changes of the address. The outside system of this
 * effect is the browser's history.
 */
export function useAddressSync(store: StoreApi<StudioState>): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;

    const write = () => {
      timer = null;
      const state = store.getState();
      if (!state.dragging && !state.playing) writeAt(state);
    };
    const unsubscribe = store.subscribe((state, before) => {
      const isRest = state.dragging !== before.dragging || state.playing !== before.playing;
      if (state.at !== before.at || state.following !== before.following || isRest)
        timer ??= setTimeout(write, AT_MOST_EVERY_MS);
    });
    const read = () => {
      const { last, seek, pause } = store.getState();
      const parsed = parseAt(new URLSearchParams(window.location.search).get("at"), last);
      if ("invalid" in parsed) return;
      pause();
      seek(parsed.at ?? last);
    };
    window.addEventListener("popstate", read);
    return () => {
      unsubscribe();
      window.removeEventListener("popstate", read);
      if (timer !== null) clearTimeout(timer);
    };
  }, [store]);
}
