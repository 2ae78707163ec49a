import { expect, test } from "vitest";
import { scaleOf } from "./scale.ts";

test("one outlier among many hours does not flatten all others", () => {
  const hours = Array.from({ length: 167 }, (_, hour) => 10 + (hour % 3));
  expect(scaleOf([...hours, 400])).toBe(18);
});

test("a few busy hours in a quiet week keep their differences", () => {
  const quiet = Array.from({ length: 164 }, () => 0);
  expect(scaleOf([...quiet, 1, 3, 4, 9])).toBe(9);
});

test("without a value above zero there still is a scale", () => {
  expect(scaleOf([])).toBe(1);
  expect(scaleOf([0, 0])).toBe(1);
});
