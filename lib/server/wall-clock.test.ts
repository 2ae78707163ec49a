import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { wallClock } from "./wall-clock.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MONTHS = 60 * 24 * 3_600_000;

test("P24: a wait of months is one, which Node's own timers would take for none", () => {
  const act = vi.fn();
  wallClock.later(MONTHS, act);
  vi.advanceTimersByTime(MONTHS - 1);
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(act).toHaveBeenCalledOnce();
});

test("P24: it can be called off, whichever part of it runs", () => {
  const act = vi.fn();
  const callOff = wallClock.later(MONTHS, act);
  vi.advanceTimersByTime(MONTHS / 2);
  callOff();
  vi.advanceTimersByTime(MONTHS);
  expect(act).not.toHaveBeenCalled();
});
