import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createPacedBell } from "./paced-bell.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("wakes at once, then only so often, and once more after the last ring", () => {
  const bell = createPacedBell();
  const heard = vi.fn();
  bell.subscribe(heard);
  bell.ring();
  expect(heard).toHaveBeenCalledTimes(1);
  for (let n = 0; n < 50; n += 1) bell.ring();
  expect(heard).toHaveBeenCalledTimes(1);
  vi.runAllTimers();
  expect(heard).toHaveBeenCalledTimes(2);
});

it("wakes nobody who has left", () => {
  const bell = createPacedBell();
  const heard = vi.fn();
  bell.subscribe(heard)();
  bell.ring();
  expect(heard).not.toHaveBeenCalled();
});
