import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { valueAt } from "@/lib/plan/reference.ts";
import { isSameJson, type Json } from "@/lib/session/json/json.ts";
import { threeWay } from "./three-way.ts";

const places = (...values: Parameters<typeof threeWay>) =>
  threeWay(...values).map(({ path, by }) => [path.join("."), by]);

describe("C8: comparing two edits of one value", () => {
  it("reports who changed what, and which paths both changed", () => {
    const base = { a: 1, b: 1, c: 1, d: 1, e: 1 };
    expect(places(base, { ...base, a: 2, c: 2, d: 3 }, { ...base, b: 2, c: 3, d: 3 })).toEqual([
      ["a", "theirs"],
      ["c", "both"],
      ["d", "same"],
      ["b", "mine"],
    ]);
  });

  it("treats a replaced value as one difference when the other side changed a part of it", () => {
    const [row, ...others] = threeWay({ list: { x: 1, y: 1 } }, { list: { x: 2, y: 1 } }, { list: "gone" });
    expect(row).toEqual({ path: ["list"], base: { x: 1, y: 1 }, theirs: { x: 2, y: 1 }, mine: "gone", by: "both" });
    expect(others).toEqual([]);
  });

  it("handles a deleted value and a base without a value", () => {
    expect(places({ a: 1 }, undefined, { a: 2 })).toEqual([["", "both"]]);
    expect(places(undefined, { a: 1 }, { a: 1 })).toEqual([["", "same"]]);
  });

  it("lists every path that differs, and none that is equal", () => {
    const json = fc.jsonValue({ maxDepth: 3 }).map((value): Json => JSON.parse(JSON.stringify(value)));
    fc.assert(
      fc.property(json, json, json, (base, theirs, mine) => {
        const rows = threeWay(base, theirs, mine);
        const same = isSameJson(base, theirs) && isSameJson(base, mine);
        expect(rows.length === 0).toBe(same);
        for (const row of rows) {
          expect(row.theirs).toEqual(valueAt(theirs, row.path));
          expect(isSameJson(row.base, row.theirs) && isSameJson(row.base, row.mine)).toBe(false);
          expect(row.by === "mine").toBe(isSameJson(row.base, row.theirs));
        }
      }),
    );
  });
});
