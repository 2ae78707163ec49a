import { createStore, type StoreApi } from "zustand/vanilla";
import type { StudioState } from "@/components/studio/studio-state.ts";
import type { Pace } from "./pace.ts";

/** A store that tells what the studio's store does, but of the session only when it is its turn. */
interface TurnStore {
  store: StoreApi<StudioState>;
  /** Follows the studio's store until the returned function is called. */
  start(): () => void;
}

/**
 * Panes that render in one frame take as long as all of them together: in a session of 100,000 events 25 ms and more.
 * While the playhead moves by itself or is dragged, each therefore shows the session `turn` frames after it changed.
 * When it rests, all show the same at once.
 */
export function createTurnStore(studio: StoreApi<StudioState>, turn: number, pace: Pace): TurnStore {
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
    if (frame === null) waitFor(turn);
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
