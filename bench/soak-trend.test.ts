import { expect, test } from "vitest";
import { trendOf } from "./soak-trend.ts";

test("Run: a steady rise is measured, fluctuation counts as flat", () => {
  const minutes = Array.from({ length: 30 }, (_, n) => n);
  expect(
    trendOf(
      minutes,
      minutes.map((n) => 100 + 2 * n),
    ),
  ).toEqual({ slope: 2, mean: 129, growth: 58 / 129 });
  const shaking = trendOf(
    minutes,
    minutes.map((n) => (n % 2 ? 110 : 90)),
  );
  expect(Math.abs(shaking.growth)).toBeLessThan(0.03);
});
