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

function setUp() {
  const initial: Partial<StudioState> = {
    at: 0,
    dragging: false,
    playing: false,
    session: sessionAt(0),
    before: null,
    event: null,
  };
  const studio = createStore<StudioState>(() => initial as StudioState);
  const pace = new Pace();
  function pane() {
    const own = createDeferredStore(studio, pace);
    const stop = own.start();
    const shown = () => ({ at: own.store.getState().at, session: own.store.getState().session.at });
    return { stop, shown };
  }
  const move = (at: number) => studio.setState({ at, session: sessionAt(at) });
  return { studio, ...pane(), move, another: () => pane().shown };
}

test("C5: during a drag panes update in frames of their own, with the newest session", () => {
  const { studio, shown, move, another } = setUp();
  const other = another();
  studio.setState({ dragging: true });
  move(1);
  expect([shown(), other()]).toEqual([
    { at: 0, session: 0 },
    { at: 0, session: 0 },
  ]);
  nextFrame();
  expect([shown().session, other().session]).toEqual([1, 0]);
  move(2);
  nextFrame();
  expect([shown().session, other().session]).toEqual([1, 2]);
  nextFrame();
  expect(shown()).toEqual({ at: 2, session: 2 });
});

test("C5: when the step rests all panes update at once", () => {
  const { studio, shown, move } = setUp();
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
  const { studio, stop, shown, move } = setUp();
  studio.setState({ dragging: true });
  move(1);
  stop();
  nextFrame();
  move(2);
  nextFrame();
  expect(shown().session).toBe(0);
});
