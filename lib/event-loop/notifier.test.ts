import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createNotifier } from "./notifier.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("publishes the first value at once, then pauses, and publishes the newest one", () => {
  const notifier = createNotifier<number>(() => 200);
  const heard = vi.fn();
  notifier.subscribe(heard);
  notifier.publish(0);
  expect(heard.mock.calls).toEqual([[0]]);
  for (let n = 1; n <= 50; n += 1) notifier.publish(n);
  expect(heard).toHaveBeenCalledTimes(1);
  vi.runAllTimers();
  expect(heard.mock.calls).toEqual([[0], [50]]);
});

it("does not notify unsubscribed listeners", () => {
  const notifier = createNotifier<void>(() => 200);
  const heard = vi.fn();
  notifier.subscribe(heard)();
  notifier.publish();
  expect(heard).not.toHaveBeenCalled();
});
