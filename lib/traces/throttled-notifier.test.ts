import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createThrottledNotifier } from "./throttled-notifier.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("wakes at once, then only so often, and once more after the last ring", () => {
  const notifier = createThrottledNotifier();
  const heard = vi.fn();
  notifier.subscribe(heard);
  notifier.notify();
  expect(heard).toHaveBeenCalledTimes(1);
  for (let n = 0; n < 50; n += 1) notifier.notify();
  expect(heard).toHaveBeenCalledTimes(1);
  vi.runAllTimers();
  expect(heard).toHaveBeenCalledTimes(2);
});

it("wakes nobody who has left", () => {
  const notifier = createThrottledNotifier();
  const heard = vi.fn();
  notifier.subscribe(heard)();
  notifier.notify();
  expect(heard).not.toHaveBeenCalled();
});
