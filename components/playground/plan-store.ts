import { createStore, type StoreApi } from "zustand/vanilla";
import type { StudioState } from "@/components/studio/studio-state.ts";
import { emptySession } from "@/lib/session/reducer/reducer.ts";
import type { Session } from "@/lib/session/session.ts";
import { emptySummary } from "@/lib/session/summary/summary.ts";

/** How long each wave is shown during playback, ms. */
const PACE = 1_100;

/** A simulated plan as a studio store: a step is a wave. */
export interface PlanStore {
  store: StoreApi<StudioState>;
  /** Sets the sessions: before the simulation, and after each wave. */
  show(frames: readonly Session[]): void;
  stop(): void;
}

/** Creates the store of the current wave. */
export function createPlanStore(): PlanStore {
  let frames: readonly Session[] = [emptySession(null)];
  let timer: ReturnType<typeof setInterval> | undefined;

  const store = createStore<StudioState>((set, get) => ({
    ...frameAt(0),
    conversationId: "",
    forkedFrom: null,
    now: emptySummary(),
    following: false,
    playing: false,
    playedRange: null,
    looping: false,
    speed: 1,
    dragging: false,
    event: null,
    loading: false,
    failure: null,
    connection: "live",
    timeline: null,
    long: null,
    making: null,
    seek: (wanted) => set(frameAt(wanted)),
    // Waves are not in the address.
    jump: (to) => (typeof to === "number" ? get().seek(to) : to()),
    step(_unit, direction) {
      get().pause();
      set(frameAt(get().at + direction));
    },
    find: () => undefined,
    eventsAfter: () => null,
    look: () => undefined,
    goLive: () => set(frameAt(frames.length - 1)),
    play() {
      if (get().playing || frames.length < 2) return;
      set({ playing: true, ...frameAt(get().at === get().last ? 0 : get().at + 1) });
      timer = setInterval(() => {
        set(frameAt(get().at + 1));
        if (get().at === get().last) get().pause();
      }, PACE);
    },
    pause() {
      clearInterval(timer);
      if (get().playing) set({ playing: false });
    },
    playWithin: () => undefined,
    setLooping: () => undefined,
    setSpeed: (speed) => set({ speed }),
    setDragging: (dragging) => set({ dragging }),
    retry: () => undefined,
  }));

  function frameAt(wanted: number): Pick<StudioState, "at" | "last" | "session" | "before"> {
    const last = frames.length - 1;
    const at = Math.min(Math.max(wanted, 0), last);
    const session = frames[at] ?? emptySession(null);
    return { at, last, session, before: frames[at - 1] ?? null };
  }

  return {
    store,
    show(next) {
      if (next === frames) return;
      frames = next;
      if (frames.length < 2) store.getState().pause();
      store.setState(frameAt(store.getState().at));
    },
    stop: () => store.getState().pause(),
  };
}
