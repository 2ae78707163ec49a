import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { throttle } from "./throttle.ts";

describe("C1: events refresh the list at most once a second", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("runs at once, and once more for all calls in between", () => {
    const task = vi.fn();
    const { call } = throttle(task, 1_000);
    for (let i = 0; i < 500; i += 1) call();
    expect(task).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(10_000);
    expect(task).toHaveBeenCalledTimes(2);
    call();
    expect(task).toHaveBeenCalledTimes(3);
  });

  it("does not run again without a call", () => {
    const task = vi.fn();
    throttle(task, 1_000).call();
    vi.advanceTimersByTime(10_000);
    expect(task).toHaveBeenCalledTimes(1);
  });

  it("does not run after it was cancelled", () => {
    const task = vi.fn();
    const { call, cancel } = throttle(task, 1_000);
    call();
    call();
    cancel();
    vi.advanceTimersByTime(10_000);
    expect(task).toHaveBeenCalledTimes(1);
  });

  it("waits for a slow task, and then runs once for all calls in between", async () => {
    const runs: (() => void)[] = [];
    const task = vi.fn(() => new Promise<void>((resolve) => runs.push(resolve)));
    const { call } = throttle(task, 1_000);
    call();
    call();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(task).toHaveBeenCalledTimes(1);
    runs[0]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(task).toHaveBeenCalledTimes(2);
    runs[1]?.();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(task).toHaveBeenCalledTimes(2);
  });

  it("retries a failed task until it is cancelled", async () => {
    const task = vi.fn(() => Promise.reject(new Error("the server is busy")));
    const { call, cancel } = throttle(task, 1_000);
    call();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(task).toHaveBeenCalledTimes(2);
    cancel();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(task).toHaveBeenCalledTimes(2);
  });
});
