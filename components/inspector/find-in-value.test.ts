import { describe, expect, test } from "vitest";
import { findInValue } from "./find-in-value.ts";

describe("C6: search in the tree", () => {
  const state = { deal: { title: "Tickets to Rome", Amount: 250, open: true, tags: ["rome", "two"] }, client: null };
  const found = (text: string) => findInValue(state, text).map(({ id }) => id);

  test("finds keys and plain values in any case, in the order of the rows", () => {
    expect(found("ROME")).toEqual([".deal.title", ".deal.tags[0]"]);
    expect(found("amount")).toEqual([".deal.Amount"]);
    expect(found("250")).toEqual([".deal.Amount"]);
    expect(found("true")).toEqual([".deal.open"]);
    expect(found("null")).toEqual([".client"]);
  });

  test("a key with a collection is found by its name, not by what is in it", () => {
    expect(found("deal")).toEqual([".deal"]);
  });

  test("nothing finds nothing, and neither does what is not there", () => {
    expect(found("  ")).toEqual([]);
    expect(found("paris")).toEqual([]);
  });

  test("a value that has to be fetched is not looked into", () => {
    expect(findInValue({ big: { $ref: "/api/secret", bytes: 20_000 } }, "secret")).toEqual([]);
  });
});
