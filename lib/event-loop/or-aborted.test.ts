import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { orAborted } from "./or-aborted.ts";

const forever = new Promise<never>(() => undefined);
const reason = new Error("cancelled");

test("what comes first is the outcome, and nothing listens to the signal afterwards", async () => {
  const given = new AbortController();
  const { signal } = given;
  expect(await orAborted(Promise.resolve(1), signal)).toBe(1);
  await expect(orAborted(Promise.reject(new Error("failed")), signal)).rejects.toThrow("failed");
  const waits = orAborted(forever, signal);
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  given.abort(reason);
  await expect(waits).rejects.toBe(reason);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("the reason of a signal that was aborted before comes first, and a failure beside it is handled", async () => {
  const failed = Promise.reject(new Error("failed"));
  await expect(orAborted(failed, AbortSignal.abort(reason))).rejects.toBe(reason);
});
