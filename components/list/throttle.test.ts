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
});
