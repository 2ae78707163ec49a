import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isSameJson, type Json } from "@/lib/session/json/json.ts";
import { countDifferences, pairRows } from "./pair-rows.ts";

const all: Parameters<typeof pairRows>[2] = { isOpen: () => true, onlyChanges: false };
const rowsOf = (before: Json, after: Json, options = all) =>
  pairRows(before, after, options).map(({ id, kind }) => [id, kind]);

describe("C6: two steps side by side", () => {
  test("has the paths of both, marked as added, changed or removed", () => {
    expect(rowsOf({ a: 1, gone: true, deal: { id: 7, sum: 5 } }, { a: 1, deal: { id: 7, sum: 6 }, note: "x" })).toEqual(
      [
        [".a", "same"],
        [".deal", "change"],
        [".deal.id", "same"],
        [".deal.sum", "change"],
        [".note", "add"],
        [".gone", "remove"],
      ],
    );
  });

  test("expands what differs and collapses the rest, by default", () => {
    const byDefault = { isOpen: (_id: string, open: boolean) => open, onlyChanges: false };
    expect(rowsOf({ same: { x: 1 }, deal: { sum: 5 } }, { same: { x: 1 }, deal: { sum: 6 } }, byDefault)).toEqual([
      [".same", "same"],
      [".deal", "change"],
      [".deal.sum", "change"],
    ]);
  });

  test("can show only the differences", () => {
    expect(rowsOf({ a: 1, b: [1, 2] }, { a: 1, b: [1, 3] }, { ...all, onlyChanges: true })).toEqual([
      [".b", "change"],
      [".b[1]", "change"],
    ]);
  });

  test("reports a difference exactly where values are not equal", () => {
    const value = fc.jsonValue({ maxDepth: 3 }).map((one): Json => JSON.parse(JSON.stringify({ root: one })));
    fc.assert(
      fc.property(value, value, (before, after) => {
        expect(countDifferences(before, before)).toBe(0);
        expect(countDifferences(before, after) === 0).toBe(isSameJson(before, after));
      }),
    );
  });
});
