import { describe, expect, test } from "vitest";
import { findInValue } from "./find-in-value.ts";

describe("C6: search in the tree", () => {
  const state = { deal: { title: "Tickets to Rome", Amount: 250, open: true, tags: ["rome", "two"] }, client: null };
  const found = (text: string) => findInValue(state, text).map(({ id }) => id);

  test("finds keys and plain values, ignoring case, in row order", () => {
    expect(found("ROME")).toEqual([".deal.title", ".deal.tags[0]"]);
    expect(found("amount")).toEqual([".deal.Amount"]);
    expect(found("250")).toEqual([".deal.Amount"]);
    expect(found("true")).toEqual([".deal.open"]);
    expect(found("null")).toEqual([".client"]);
  });

  test("finds a collection by its key, not by its contents", () => {
    expect(found("deal")).toEqual([".deal"]);
  });

  test("finds nothing for an empty query, or without a match", () => {
    expect(found("  ")).toEqual([]);
    expect(found("paris")).toEqual([]);
  });

  test("does not search values that are not loaded", () => {
    expect(findInValue({ big: { $ref: "/api/secret", bytes: 20_000 } }, "secret")).toEqual([]);
  });
});
