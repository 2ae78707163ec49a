import fc from "fast-check";
import { expect, test } from "vitest";
import { noCounts } from "./counts.ts";
import { encode, note, quantile, type Sketch } from "./sketch.ts";
import { Sum, sumOf } from "./sums.ts";

const durations = fc.array(fc.integer({ min: 0, max: 10_000_000 }), { maxLength: 60 });

function cellOf(all: readonly number[]) {
  const sketch: Sketch = new Map();
  for (const one of all) note(sketch, one);
  return { ...noCounts(), count: all.length, durations: encode(sketch), waits: encode(new Map()) };
}

test("a sum has the quantiles of all its durations, in whatever cells they come, few or many, and so has a sum of sums", () => {
  fc.assert(
    fc.property(fc.array(durations, { maxLength: 8 }), fc.nat(8), (cells, cut) => {
      const sketch: Sketch = new Map();
      for (const one of cells.flat()) note(sketch, one);
      const expected = { p50: quantile(sketch, 0.5), p95: quantile(sketch, 0.95), p99: quantile(sketch, 0.99) };
      const sumOfCells = (some: typeof cells) => {
        const sum = new Sum();
        for (const cell of some) sum.add(cellOf(cell));
        return sum;
      };
      expect(sumOfCells(cells).latency()).toEqual(expected);
      expect(sumOf([sumOfCells(cells.slice(0, cut)), sumOfCells(cells.slice(cut))]).latency()).toEqual(expected);
    }),
  );
});
