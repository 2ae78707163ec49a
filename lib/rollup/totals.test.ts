import { expect, test } from "vitest";
import { parseRange, parseSort, printRange, printSort } from "./totals.ts";

test.each([
  ["5..", { least: 5 }],
  ["..0.25", { most: 0.25 }],
  ["5..10", { least: 5, most: 10 }],
  ["5", { least: 5, most: 5 }],
])("the range %s is read and written again", (text, range) => {
  expect(parseRange(text)).toEqual(range);
  expect(printRange(range)).toBe(text);
});

test.each(["", "..", "10..5", "a..", "-1..", "1...2", "1e3.."])("%j is no range", (text) => {
  expect(parseRange(text)).toBeNull();
});

test("orders are read and written again; others are refused", () => {
  for (const text of ["updated", "started", "cost", "score:rating"]) {
    const sort = parseSort(text);
    expect(sort && printSort(sort)).toBe(text);
  }
  for (const text of ["", "title", "score:", "-cost"]) expect(parseSort(text)).toBeNull();
});
