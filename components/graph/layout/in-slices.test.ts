import { expect, test } from "vitest";
import { inSlices } from "./in-slices.ts";

function* work(ms: number): Generator<void, string> {
  const end = performance.now() + ms;
  while (performance.now() < end) yield;
  return "done";
}

test("C4: long work yields to the page, and returns its result", async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  expect(await inSlices(work(120), new AbortController().signal)).toBe("done");
  clearInterval(timer);
  expect(turns).toBeGreaterThan(0);
});

test("C4: aborted work stops", async () => {
  const stop = new AbortController();
  const result = inSlices(work(10_000), stop.signal);
  stop.abort(new Error("another plan"));
  await expect(result).rejects.toThrow("another plan");
});
