import fc from "fast-check";
import { expect, it } from "vitest";
import { cutToSize, sizeOf } from "./cut.ts";

it("does not change what fits", () => {
  const value = { text: "short", list: [1, 2, 3] };
  expect(cutToSize(value, 100)).toEqual({ value, cuts: [] });
});

it("shortens long values, with place and amount", () => {
  const { value, cuts } = cutToSize({ "a/b": "x".repeat(10_000), short: "kept" }, 9_000);
  expect(value).toEqual({ "a/b": `${"x".repeat(8_000)}…`, short: "kept" });
  expect(cuts).toEqual([{ path: "/a~1b", shown: 8_000, of: 10_000, unit: "characters" }]);
});

it("shortens lists and objects with many entries", () => {
  const { value, cuts } = cutToSize({ list: Array.from({ length: 5_000 }, (_, n) => n) }, 2_500);
  expect(value).toEqual({ list: Array.from({ length: 500 }, (_, n) => n) });
  expect(cuts).toEqual([{ path: "/list", shown: 500, of: 5_000, unit: "items" }]);
});

it("does not split surrogate pairs", () => {
  const { value } = cutToSize({ text: `${"x".repeat(7_999)}😀${"y".repeat(3_000)}` }, 8_100);
  expect(value).toEqual({ text: `${"x".repeat(7_999)}…` });
});

it("never exceeds the limit, for any value", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 50, max: 400 }), (value, room) => {
      const cut = cutToSize({ value, ["k".repeat(500)]: value }, room);
      expect(sizeOf(cut.value)).toBeLessThanOrEqual(room + 3);
      expect(cut.cuts.length).toBeGreaterThan(0);
    }),
  );
});
