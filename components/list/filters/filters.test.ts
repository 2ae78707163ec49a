import { describe, expect, it } from "vitest";
import { isFiltered, NO_FILTERS, parseFilters, toQuery, withFilters } from "./filters.ts";

describe("C1: filters live in the address", () => {
  it("reads back what it wrote, whatever the values hold", () => {
    const filters = {
      q: "сумма & срок?",
      channel: "telegram",
      status: "failed",
      stage: "a=b",
      agent: "CRM",
      period: "7d",
    } as const;
    expect(parseFilters(new URLSearchParams(withFilters(new URLSearchParams(), filters)))).toEqual(filters);
  });

  it("takes a cleared filter out of the address and leaves the rest", () => {
    expect(withFilters(new URLSearchParams("q=deal&status=failed"), { status: "" })).toBe("?q=deal");
    expect(withFilters(new URLSearchParams("status=failed"), { status: "" })).toBe("");
  });

  it("ignores a status and a period that do not exist", () => {
    const filters = parseFilters(new URLSearchParams("status=asleep&period=toString"));
    expect(filters).toEqual(NO_FILTERS);
    expect(isFiltered(filters)).toBe(false);
  });

  it("asks the API for activity since the period began", () => {
    const now = Date.UTC(2026, 0, 8);
    expect(toQuery({ ...NO_FILTERS, period: "7d", agent: "admin" }, now)).toEqual({
      agent_id: "admin",
      from: "2026-01-01T00:00:00.000Z",
    });
  });
});
