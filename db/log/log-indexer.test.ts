import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LogIndexer } from "./log-indexer.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("goes on by itself after a failure, though the log does not grow", async () => {
  const logged: string[] = [];
  const saved: number[] = [];
  let batches = [1, 2];
  let isLost = true;
  const indexer = new LogIndexer<{ number: number; more: boolean }>(
    {
      failed: "The index could not be continued",
      epoch: async () => 0,
      async read() {
        const [number] = batches;
        return number === undefined ? null : { number, more: false };
      },
      async save({ number }) {
        if (isLost) throw new Error("The connection was lost");
        saved.push(number);
        batches = batches.slice(1);
      },
    },
    { warn: (_, message) => logged.push(message), error: (_, message) => logged.push(message) },
  );
  indexer.look();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(logged).toEqual(["The index could not be continued"]);
  isLost = false;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(saved).toEqual([1, 2]);
  expect(logged).toHaveLength(1);
  indexer.stop();
  expect(vi.getTimerCount()).toBe(0);
});
