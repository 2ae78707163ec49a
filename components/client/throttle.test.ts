import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { throttle } from "./throttle.ts";

describe("C1: news refreshes the list once a second at most", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("runs at once, and once more for all that came meanwhile", () => {
    const task = vi.fn();
    const { call } = throttle(task, 1_000);
    for (let i = 0; i < 500; i += 1) call();
    expect(task).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(10_000);
    expect(task).toHaveBeenCalledTimes(2);
    call();
    expect(task).toHaveBeenCalledTimes(3);
  });

  it("does not run again when nothing came", () => {
    const task = vi.fn();
    throttle(task, 1_000).call();
    vi.advanceTimersByTime(10_000);
    expect(task).toHaveBeenCalledTimes(1);
  });

  it("runs no more once it is cancelled", () => {
    const task = vi.fn();
    const { call, cancel } = throttle(task, 1_000);
    call();
    call();
    cancel();
    vi.advanceTimersByTime(10_000);
    expect(task).toHaveBeenCalledTimes(1);
  });

  it("waits for a task that takes longer, and then runs once more for what came meanwhile", async () => {
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

  it("runs again what has failed, until it is cancelled", async () => {
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
