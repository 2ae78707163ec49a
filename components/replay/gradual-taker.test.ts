import { expect, test } from "vitest";
import { gradualTaker } from "./gradual-taker.ts";

const take = () => gradualTaker((id: string) => id);

test("C5: new items appear a few at a time, the last ones first, until all are there", () => {
  const next = take();
  const all = ["a", "b", "c", "d", "e"];
  expect(next(all, 2)).toEqual(["d", "e"]);
  expect(next(all, 2)).toEqual(["b", "c", "d", "e"]);
  expect(next(all, 2)).toEqual(all);
});

test("C5: items that were there stay, and those that are gone go at once", () => {
  const next = take();
  next(["a", "b"], 2);
  expect(next(["b", "c", "d"], 1)).toEqual(["b", "d"]);
  expect(next(["b"], 1)).toEqual(["b"]);
});
