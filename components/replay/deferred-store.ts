import { createStore, type StoreApi } from "zustand/vanilla";
import type { StudioState } from "@/components/studio/studio-state.ts";
import type { Pace } from "./pace.ts";

/** A store that mirrors the studio's store, but updates in its own frame. */
interface TurnStore {
  store: StoreApi<StudioState>;
  /** Mirrors the studio's store until the returned function is called. */
  start(): () => void;
}

/**
 * Panes that render in one frame take the sum of their times: 25 ms and more in a session of 100,000 events. While the
 * step changes, they therefore take turns, one in a frame. When it rests, all update at once.
 */
export function createDeferredStore(studio: StoreApi<StudioState>, pace: Pace): TurnStore {
  const store = createStore<StudioState>(() => studio.getState());
  const update = () => store.setState(studio.getState(), true);

  function follow(state: StudioState): void {
    if (state.dragging || state.playing) return pace.inTurn(update);
    pace.skip(update);
    update();
  }

  return {
    store,
    start() {
      follow(studio.getState());
      const unsubscribe = studio.subscribe(follow);
      return () => {
        unsubscribe();
        pace.skip(update);
      };
    },
  };
}
