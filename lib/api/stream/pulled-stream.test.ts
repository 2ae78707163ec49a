import { getEventListeners } from "node:events";
import { expect, test, vi } from "vitest";
import { PulledStream } from "./pulled-stream.ts";

test("a stream that has ended unsubscribes, and no longer listens for the end of others", async () => {
  const leave = vi.fn();
  const { signal } = new AbortController();
  const stream = new PulledStream({
    first: "first",
    signal,
    isBehind: () => true,
    async next() {
      throw new Error("Could not read the log");
    },
    subscribe: () => leave,
  });
  const reader = stream.getReader();
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe("first");
  await expect(reader.read()).rejects.toThrow("Could not read the log");
  expect(leave).toHaveBeenCalledOnce();
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
