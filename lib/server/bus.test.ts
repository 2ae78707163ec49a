import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createBus } from "./bus.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function heardBy(count: number) {
  const bus = createBus();
  const heard = Array.from({ length: count }, () => {
    const positions: number[] = [];
    bus.subscribe((position) => positions.push(position));
    return positions;
  });
  for (const position of [1, 2, 3]) bus.publish(position);
  return { bus, heard };
}

test("few subscribers are notified of each commit", () => {
  expect(heardBy(5).heard).toEqual(Array(5).fill([1, 2, 3]));
});

test("hundreds are notified of the first commit at once, and then of the newest one", () => {
  const { bus, heard } = heardBy(200);
  expect(heard).toEqual(Array(200).fill([1]));
  vi.advanceTimersByTime(20);
  expect(heard).toEqual(Array(200).fill([1, 3]));
  vi.advanceTimersByTime(1_000);
  expect(heard).toEqual(Array(200).fill([1, 3]));
  bus.publish(4);
  expect(heard).toEqual(Array(200).fill([1, 3, 4]));
});

test("any number of subscribers is notified in time", () => {
  const { heard } = heardBy(5_000);
  vi.advanceTimersByTime(50);
  expect(heard).toEqual(Array(5_000).fill([1, 3]));
});
