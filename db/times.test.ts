import fc from "fast-check";
import { expect, it } from "vitest";
import { toIso, toMs } from "./times.ts";

it("times are written as JavaScript does, in any order", () => {
  const anyTime = fc.integer({ min: -8.64e15, max: 8.64e15 });
  const near = fc.integer({ min: 1_790_000_000_000, max: 1_790_200_000_000 });
  fc.assert(
    fc.property(fc.array(fc.oneof(anyTime, near), { minLength: 1 }), (times) => {
      expect(times.map(toIso)).toEqual(times.map((ms) => new Date(ms).toISOString()));
      expect(times.map(toIso).map(toMs)).toEqual(times);
    }),
  );
});

it("what is no time is refused", () => {
  expect(() => toIso(Number.NaN)).toThrow();
  expect(() => toIso(9e15)).toThrow();
  expect(() => toMs("yesterday")).toThrow("Not a time: yesterday");
});
