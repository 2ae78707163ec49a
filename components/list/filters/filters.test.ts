import { describe, expect, it } from "vitest";
import { isFiltered, NO_FILTERS, parseFilters, toListQuery, toQuery, withFilters } from "./filters.ts";

describe("C1: filters are in the address", () => {
  it("survive a round trip, whatever their values", () => {
    const filters = {
      q: "сумма & срок?",
      channel: "telegram",
      status: "failed",
      stage: "a=b",
      agent: "CRM",
      period: "7d",
      queue: "mine",
      assignee: "А. Б.",
      tag: "a & b",
      score: "rating<3",
      scored_since: "2026-11-20T08:30:00.000Z",
      scored_until: "2026-11-20T10:00:00.000Z",
      happened: "failed_call",
      since: "2026-11-20T09:00:00.000Z",
      until: "2026-11-20T10:00:00.000Z",
      version: "2.8.0",
      model: "m & n",
      tool: "pay/now",
      over: "4600",
      error: "0123456789abcdef",
      from: "2026-11-20",
      to: "2026-11-22",
      duration: "1000..",
      cost: "..0.5",
      tokens: "10..20",
      failures: "3",
      sort: "score:rating",
      order: "asc",
      columns: "agent,cost",
    } as const;
    expect(parseFilters(new URLSearchParams(withFilters(new URLSearchParams(), filters)))).toEqual(filters);
  });

  it("removes a cleared filter and keeps the others", () => {
    expect(withFilters(new URLSearchParams("q=deal&status=failed"), { status: "" })).toBe("?q=deal");
    expect(withFilters(new URLSearchParams("status=failed"), { status: "" })).toBe("");
  });

  it("ignores an unknown status, period or order, and times, ranges and durations that are none", () => {
    const unknown =
      "status=asleep&period=toString&happened=never&since=soon&until=later&over=long&queue=theirs&score=%3C3&scored_since=2026-11-20T08:30:00Z&from=yesterday&cost=5..1&sort=title&order=up&error=0123456789abcdef";
    const filters = parseFilters(new URLSearchParams(unknown));
    expect(filters).toEqual({ ...NO_FILTERS, sort: "", order: "", columns: "" });
    expect(isFiltered(filters)).toBe(false);
  });

  it("the order and the columns are no filter, but the order is requested", () => {
    const state = parseFilters(new URLSearchParams("sort=cost&order=asc&columns=agent"));
    expect(isFiltered(state)).toBe(false);
    expect(toQuery(state, 0)).toEqual({});
    expect(toListQuery(state, 0)).toEqual({ sort: "cost", order: "asc" });
  });

  it("days begin and end in the time zone of the reader", () => {
    const { from, to } = toQuery({ ...NO_FILTERS, from: "2026-03-01", to: "2026-03-01" }, 0);
    expect(from).toBe(new Date(2026, 2, 1).toISOString());
    expect(to).toBe(new Date(2026, 2, 2).toISOString());
  });

  it("requests activity since the start of the period", () => {
    const now = Date.UTC(2026, 0, 8);
    expect(toQuery({ ...NO_FILTERS, period: "7d", agent: "admin" }, now)).toEqual({
      agent_id: "admin",
      from: "2026-01-01T00:00:00.000Z",
    });
  });
});
