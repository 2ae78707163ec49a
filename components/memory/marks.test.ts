import { describe, expect, it } from "vitest";
import { markList, markRecord } from "./marks.ts";

const told = (marked: { entry: unknown; mark: unknown }[]) => marked.map(({ entry, mark }) => [entry, mark]);

describe("C6: what a step changed in the memory", () => {
  it("marks added and removed entries, not moved ones", () => {
    expect(told(markList(["a", "b", "c"], ["d", "c", "a"]))).toEqual([
      ["d", "add"],
      ["c", null],
      ["a", null],
      ["b", "remove"],
    ]);
  });

  it("counts equal entries", () => {
    expect(told(markList([{ x: 1 }], [{ x: 1 }, { x: 1 }])).map(([, mark]) => mark)).toEqual([null, "add"]);
  });

  it("marks nothing without a previous step", () => {
    expect(told(markList(null, ["a"]))).toEqual([["a", null]]);
    expect(markRecord(null, { a: 1 }).map(([, { mark }]) => mark)).toEqual([null]);
  });

  it("marks named entries as added, changed or removed", () => {
    const marked = markRecord({ same: 1, other: 1, gone: 1 }, { other: 2, same: 1, come: 1 });
    expect(marked.map(([name, { mark }]) => [name, mark])).toEqual([
      ["other", "change"],
      ["same", null],
      ["come", "add"],
      ["gone", "remove"],
    ]);
  });
});
