import { performance } from "node:perf_hooks";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { collectWhenIdle } from "./idle-collection.ts";

const LARGE = 64 * 1024 * 1024;
const { gc } = globalThis;
let held: Buffer | null = null;
const collect = vi.fn(() => {
  held = null;
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  globalThis.gc = Object.assign(async () => collect(), { minor: undefined });
  collect.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  globalThis.gc = gc;
  held = null;
});

/** Says what part of the time the thread was busy. */
function busyFor(utilization: number): void {
  vi.spyOn(performance, "eventLoopUtilization").mockReturnValue({ idle: 0, active: 0, utilization });
}

test("a thread that is idle collects what its start has left, and later what it holds more than before, once", () => {
  busyFor(0);
  for (const times of [1, 2]) {
    held = Buffer.alloc(LARGE);
    if (times === 1) collectWhenIdle(1_000);
    vi.advanceTimersByTime(1_000);
    expect(collect).toHaveBeenCalledTimes(times);
    expect(held).toBeNull();
    vi.advanceTimersByTime(3_000);
    expect(collect).toHaveBeenCalledTimes(times);
  }
});

test("a busy thread is left to V8", () => {
  busyFor(0.5);
  collectWhenIdle(1_000);
  held = Buffer.alloc(LARGE);
  vi.advanceTimersByTime(10_000);
  expect(collect).not.toHaveBeenCalled();
});
