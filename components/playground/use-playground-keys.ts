"use client";

import type { StoreApi } from "zustand/vanilla";
import { useShortcuts } from "@/components/keys/use-shortcuts.ts";
import type { StudioState } from "@/components/studio/studio-state.ts";
import { RUN_ID, SAVE_ID } from "./ids.ts";

interface Keys {
  store: StoreApi<StudioState>;
  openText: () => void;
  connect: () => void;
}

/** The keys of the page: to the text, through the waves, to draw, run and save. */
export function usePlaygroundKeys({ store, openText, connect }: Keys): void {
  const step = (event: KeyboardEvent, by: 1 | -1) => {
    if (event.target instanceof Element && event.target.closest("button, a, summary")) return false;
    store.getState().step("step", by);
  };
  useShortcuts({
    edit: openText,
    drawEdge: connect,
    run: { about: RUN_ID, act: () => press(RUN_ID) },
    save: { about: SAVE_ID, act: () => press(SAVE_ID) },
    forward: (event) => step(event, 1),
    backward: (event) => step(event, -1),
    play: () => {
      const { playing, play, pause } = store.getState();
      if (playing) pause();
      else play();
    },
  });
}

function press(id: string): void {
  document.getElementById(id)?.click();
}
