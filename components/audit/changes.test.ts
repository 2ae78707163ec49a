import { expect, test } from "vitest";
import { changesOf } from "./changes.ts";

test("lists fields of both sides, also those that only one side has", () => {
  expect(
    changesOf({ before: { role: "viewer", gone: true }, after: { role: "admin", tools: ["a", "b"], to: null } }),
  ).toEqual([
    { name: "role", before: "viewer", after: "admin" },
    { name: "gone", before: "true", after: null },
    { name: "tools", before: null, after: "a, b" },
    { name: "to", before: null, after: "—" },
  ]);
  expect(changesOf({ before: null, after: { tools: [] } })).toEqual([{ name: "tools", before: null, after: "—" }]);
});
