import { createStore, type StoreApi } from "zustand/vanilla";
import type { StudioState } from "@/components/studio/studio-state.ts";
import type { Pace } from "./pace.ts";

/** A store that mirrors the studio's store, but updates the session in its own frame. */
interface TurnStore {
  store: StoreApi<StudioState>;
  /** Mirrors the studio's store until the returned function is called. */
  start(): () => void;
}

/**
 * Panes that render in one frame take the sum of their times: 25 ms and more in a session of 100,000 events. While the
 * step changes, each therefore updates `delay` frames later. When it rests, all update at once.
 */
export function createDeferredStore(studio: StoreApi<StudioState>, delay: number, pace: Pace): TurnStore {
  const store = createStore<StudioState>(() => studio.getState());
  let frame: number | null = null;

  function stopWaiting(): void {
    if (frame !== null) cancelAnimationFrame(frame);
    frame = null;
  }

  function waitFor(frames: number): void {
    frame = requestAnimationFrame(() => {
      frame = null;
      if (frames > 1) waitFor(frames - 1);
      else pace.measure(() => store.setState(studio.getState(), true));
    });
  }

  function follow(state: StudioState): void {
    const { session, before, event } = store.getState();
    const isShown = session === state.session && before === state.before && event === state.event;
    if (isShown || !(state.dragging || state.playing)) {
      stopWaiting();
      store.setState(state, true);
      return;
    }
    store.setState({ ...state, session, before, event }, true);
    if (frame === null) waitFor(delay);
  }

  return {
    store,
    start() {
      follow(studio.getState());
      const unsubscribe = studio.subscribe(follow);
      return () => {
        unsubscribe();
        stopWaiting();
      };
    },
  };
}
