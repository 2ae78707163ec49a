import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import type { StudioState } from "@/components/studio/studio-state.ts";
import { emptySession } from "@/lib/session/reducer/reducer.ts";
import { createDeferredStore } from "./deferred-store.ts";
import { Pace } from "./pace.ts";

const frames: (() => void)[] = [];
beforeEach(() => {
  frames.length = 0;
  vi.stubGlobal("requestAnimationFrame", (frame: () => void) => frames.push(frame));
  vi.stubGlobal("cancelAnimationFrame", (id: number) => frames.splice(id - 1, 1, () => undefined));
});
afterEach(() => vi.unstubAllGlobals());

function nextFrame(): void {
  for (const frame of frames.splice(0)) frame();
}

const sessionAt = (at: number) => ({ ...emptySession("c"), at });

function setUp(turn: number) {
  const initial: Partial<StudioState> = {
    at: 0,
    dragging: false,
    playing: false,
    session: sessionAt(0),
    before: null,
    event: null,
  };
  const studio = createStore<StudioState>(() => initial as StudioState);
  const own = createDeferredStore(studio, turn, new Pace());
  const stop = own.start();
  const shown = () => ({ at: own.store.getState().at, session: own.store.getState().session.at });
  const move = (at: number) => studio.setState({ at, session: sessionAt(at) });
  return { studio, stop, shown, move };
}

test("C5: during a drag a pane updates in its own frame, with the newest session", () => {
  const { studio, shown, move } = setUp(2);
  studio.setState({ dragging: true });
  move(1);
  expect(shown()).toEqual({ at: 1, session: 0 });
  nextFrame();
  move(2);
  expect(shown()).toEqual({ at: 2, session: 0 });
  nextFrame();
  expect(shown()).toEqual({ at: 2, session: 2 });
});

test("C5: when the step rests all panes update at once", () => {
  const { studio, shown, move } = setUp(1);
  move(1);
  expect(shown()).toEqual({ at: 1, session: 1 });
  studio.setState({ dragging: true });
  move(2);
  studio.setState({ dragging: false });
  expect(shown()).toEqual({ at: 2, session: 2 });
  nextFrame();
  expect(shown()).toEqual({ at: 2, session: 2 });
});

test("C5: an unmounted pane gets no updates", () => {
  const { studio, stop, shown, move } = setUp(1);
  studio.setState({ dragging: true });
  move(1);
  stop();
  nextFrame();
  move(2);
  expect(shown().session).toBe(0);
});
