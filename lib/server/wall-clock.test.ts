import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { wallClock } from "./wall-clock.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MONTHS = 60 * 24 * 3_600_000;

test("P24: a timer of months works, although Node's would fire at once", () => {
  const act = vi.fn();
  wallClock.later(MONTHS, act);
  vi.advanceTimersByTime(MONTHS - 1);
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(act).toHaveBeenCalledOnce();
});

test("P24: it can be cancelled in any part", () => {
  const act = vi.fn();
  const callOff = wallClock.later(MONTHS, act);
  vi.advanceTimersByTime(MONTHS / 2);
  callOff();
  vi.advanceTimersByTime(MONTHS);
  expect(act).not.toHaveBeenCalled();
});
