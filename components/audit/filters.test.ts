import { expect, test } from "vitest";
import { isFiltered, NO_FILTERS, parseFilters, toQuery, withFilters } from "./filters.ts";

test("filters survive a round trip through the address, and invalid parameters are ignored", () => {
  const filters = { action: "fork.run", actor: "key:billing", target: "run:1", from: "2026-01-30", to: "2026-01-31" };
  const address = withFilters(new URLSearchParams(), { ...filters, action: "fork.run" });
  expect(parseFilters(new URLSearchParams(address))).toEqual(filters);
  expect(parseFilters(new URLSearchParams("action=nonsense&from=yesterday&to=2026-99-99"))).toEqual(NO_FILTERS);
  expect(withFilters(new URLSearchParams(address), NO_FILTERS)).toBe("");
  expect([isFiltered(NO_FILTERS), isFiltered({ ...NO_FILTERS, actor: "x" })]).toEqual([false, true]);
});

test("both days are included in full", () => {
  const { from, to } = toQuery({ ...NO_FILTERS, from: "2026-01-31", to: "2026-01-31" });
  expect(from).toBe(new Date(2026, 0, 31).toISOString());
  expect(to).toBe(new Date(2026, 1, 1).toISOString());
});
