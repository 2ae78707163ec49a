import { describe, expect, it } from "vitest";
import { jsonRows, rowByKey } from "./json-rows.ts";

const all = () => true;
const none = () => false;
const value = { deal: { id: 7, tags: ["a", "b c"] }, note: "short" };

describe("C6: JSON as rows of a tree", () => {
  it("has a row per visible entry, named by its path as in references", () => {
    expect(jsonRows(value, all).map(({ id, depth }) => [id, depth])).toEqual([
      [".deal", 0],
      [".deal.id", 1],
      [".deal.tags", 1],
      [".deal.tags[0]", 2],
      [".deal.tags[1]", 2],
      [".note", 0],
    ]);
    expect(jsonRows(value, none).map(({ id }) => id)).toEqual([".deal", ".note"]);
    expect(jsonRows({ "a b": 1 }, all)[0]?.id).toBe('["a b"]');
  });

  it("has each row's position among its siblings", () => {
    const row = jsonRows(value, all).find(({ id }) => id === ".deal.tags[1]");
    expect([row?.position, row?.siblings]).toEqual([2, 2]);
  });

  it("expands small collections of the first level by default, but no large one", () => {
    const byDefault = (_id: string, open: boolean) => open;
    const large = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`k${index}`, index]));
    expect(jsonRows({ small: { a: 1 }, large }, byDefault).map(({ id }) => id)).toEqual([
      ".small",
      ".small.a",
      ".large",
    ]);
  });

  it("has one row for a plain value, and a long text can be expanded", () => {
    expect(jsonRows("x".repeat(100), none)).toMatchObject([{ id: "", kind: "text", expandable: true }]);
    expect(jsonRows(null, all)).toMatchObject([{ kind: "null", expandable: false }]);
    expect(jsonRows({}, all)).toEqual([]);
  });

  it("keeps a value that is not loaded collapsed, and shows its size", () => {
    expect(jsonRows({ big: { $ref: "/api/x#/y", bytes: 128_000 } }, all)).toMatchObject([
      { kind: "cited", expandable: false },
    ]);
  });

  it("moves with the keys of a tree: into an expanded row, out to the parent, never past an end", () => {
    const rows = jsonRows(value, all);
    expect(rowByKey("ArrowDown", rows, 5)).toBe(5);
    expect(rowByKey("ArrowUp", rows, 0)).toBe(0);
    expect(rowByKey("ArrowRight", rows, 0)).toBe(1);
    expect(rowByKey("ArrowLeft", rows, 4)).toBe(2);
    expect(rowByKey("End", rows, 0)).toBe(5);
    expect(rowByKey("x", rows, 0)).toBeNull();
  });
});
