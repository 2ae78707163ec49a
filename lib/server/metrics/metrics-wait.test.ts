import { expect, test } from "vitest";
import { waitsSince } from "./metrics-wait.ts";

test("a stall counts for all requests meanwhile, and an idle server has none", () => {
  expect(waitsSince(100, 100)).toEqual([0]);
  expect(waitsSince(100, 119)).toEqual([19]);
  expect(waitsSince(100, 150)).toEqual([50, 30, 10]);
  const stall = waitsSince(0, 22_000);
  expect(stall).toHaveLength(1_101);
  expect(stall.filter((wait) => wait > 100).length / stall.length).toBeGreaterThan(0.99);
  // A machine that was suspended all night reports a minute.
  expect(waitsSince(0, 8 * 3_600_000)).toHaveLength(3_001);
});
