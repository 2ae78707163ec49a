import { expect, test } from "vitest";
import { takeBrowserFilters } from "./browser-filters.ts";
import { isSameQuery } from "./same-query.ts";

test("two queries are the same view in any order of their parameters", () => {
  expect(isSameQuery("status=failed&sort=cost", "sort=cost&status=failed")).toBe(true);
  expect(isSameQuery("status=failed", "status=failed&sort=cost")).toBe(false);
});

test("filters that an earlier version saved in the browser are taken out of it once; what is no filter is dropped", () => {
  const stored = new Map([
    [
      "obelus-filters",
      JSON.stringify([{ name: "Broken", query: "?status=failed" }, { name: 1 }, { name: "x", query: "no" }]),
    ],
  ]);
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    removeItem: (key: string) => void stored.delete(key),
  };
  expect(takeBrowserFilters(storage)).toEqual([{ name: "Broken", query: "status=failed" }]);
  expect(takeBrowserFilters(storage)).toEqual([]);
  stored.set("obelus-filters", "{");
  expect(takeBrowserFilters(storage)).toEqual([]);
});
