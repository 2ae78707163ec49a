import { expect, test } from "vitest";
import { changesOf, figuresOf } from "./changes.ts";

test("C7: each field is shown with the value that it replaces", () => {
  const params = { id: 1842, fields: { OPPORTUNITY: 1_450_000, STAGE_ID: "WON", TITLE: "Servers" } };
  expect(changesOf(params, { OPPORTUNITY: "1180000.00", STAGE_ID: "NEW" }, null)).toEqual([
    { name: "fields.OPPORTUNITY", before: "1180000.00", after: 1_450_000 },
    { name: "fields.STAGE_ID", before: "NEW", after: "WON" },
    { name: "fields.TITLE", before: undefined, after: "Servers" },
  ]);
});

test("C7: an id is a change only when its old value is known", () => {
  const params = { id: 7, fields: { ASSIGNED_BY_ID: 12 } };
  expect(changesOf(params, { ASSIGNED_BY_ID: 9 }, null).map(({ name }) => name)).toEqual(["fields.ASSIGNED_BY_ID"]);
  expect(changesOf(params, null, null)).toEqual([]);
});

test("C7: without old values in the request, those of the run's state are used", () => {
  const state = { deal: { ID: "7", amount: 100 } };
  expect(changesOf({ id: 7, amount: 250 }, null, state)).toEqual([{ name: "amount", before: 100, after: 250 }]);
});

test("C7: parameters that are too large to be included show no changes", () => {
  const cited = { $ref: "/api/conversations/x/events?after=1&limit=1#/items/0/payload/action/params", bytes: 20_000 };
  expect(changesOf(cited, null, null)).toEqual([]);
  expect(changesOf({ fields: { TITLE: "x" } }, cited, null)).toEqual([
    { name: "fields.TITLE", before: undefined, after: "x" },
  ]);
});

test("C7: numbers are compared when one of them is a string", () => {
  const change = (before: string | number, after: string | number) => figuresOf({ name: "x", before, after });
  expect(change("1180000.00", 1_450_000)).toEqual({ before: 1_180_000, after: 1_450_000 });
  expect(change("7", "8")).toBeNull();
  expect(change("NEW", 8)).toBeNull();
  expect(figuresOf({ name: "fields.ASSIGNED_BY_ID", before: 9, after: 17 })).toBeNull();
  expect(figuresOf({ name: "x", before: undefined, after: 8 })).toBeNull();
});
