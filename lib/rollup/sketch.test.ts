import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { below, decode, decodeTo, encode, merge, noBuckets, note, quantile, rankOf, type Sketch } from "./sketch.ts";

const durations = fc.array(fc.integer({ min: 0, max: 100_000_000 }), { maxLength: 200 });

function sketchOf(all: readonly number[]): Sketch {
  const sketch: Sketch = new Map();
  for (const ms of all) note(sketch, ms);
  return sketch;
}

describe("a sketch of durations", () => {
  test("tells quantiles within 1 % of the exact ones", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 100_000_000 }), { minLength: 1 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (all, part) => {
          const exact = all.toSorted((one, other) => one - other)[rankOf(part, all.length) - 1] ?? 0;
          expect(Math.abs((quantile(sketchOf(all), part) ?? 0) - exact)).toBeLessThanOrEqual(exact * 0.0101);
        },
      ),
    );
  });

  test("a quantile of few is one that its part of all are not above", () => {
    expect(quantile(sketchOf([100, 10_000]), 0.5)).toBeCloseTo(100, -1);
    expect(quantile(sketchOf([100, 10_000]), 0.99)).toBeCloseTo(10_000, -3);
    expect(rankOf(0.07, 100)).toBe(7);
    expect(rankOf(0, 5)).toBe(1);
  });

  test("a quantile stands for durations that are all longer than what is below it", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000_000 }), (ms) => {
        expect(below(quantile(sketchOf([ms]), 0.95) ?? 0)).toBeLessThan(ms);
        expect(below(quantile(sketchOf([ms]), 0.95) ?? 0)).toBeGreaterThanOrEqual(Math.floor(ms * 0.98) - 1);
      }),
    );
  });

  test("is the same in whatever order it is added up, and after a part is subtracted as if it had never been there", () => {
    fc.assert(
      fc.property(durations, durations, (one, other) => {
        const both = sketchOf(one);
        merge(both, sketchOf(other));
        expect(both).toEqual(sketchOf([...other, ...one]));
        merge(both, sketchOf(one), -1);
        expect(both).toEqual(sketchOf(other));
      }),
    );
  });

  test("is stored and read unchanged, and is small", () => {
    fc.assert(
      fc.property(durations, (all) => {
        expect(decode(encode(sketchOf(all)))).toEqual(sketchOf(all));
      }),
    );
    expect(encode(sketchOf([420])).length).toBeLessThan(5);
  });

  test("is added up from the bytes of several, with two zeros between them", () => {
    fc.assert(
      fc.property(fc.array(durations), (all) => {
        const bytes = all.flatMap((one, index) => [...(index > 0 ? [0, 0] : []), ...encode(sketchOf(one))]);
        const sum = noBuckets();
        decodeTo(sum, Uint8Array.from(bytes));
        expect(new Map([...sum.entries()].filter(([, count]) => count > 0))).toEqual(sketchOf(all.flat()));
      }),
    );
  });

  test("of nothing has no quantiles; shorter than a millisecond is 0", () => {
    expect(quantile(sketchOf([]), 0.5)).toBeNull();
    expect(quantile(sketchOf([0, 0, 0]), 0.99)).toBe(0);
  });
});
