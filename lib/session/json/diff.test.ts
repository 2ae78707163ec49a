import fc from "fast-check";
import { expect, it } from "vitest";
import { diffValues } from "./diff.ts";
import type { Json } from "./json.ts";

const anyJson = fc.jsonValue().map((value): Json => JSON.parse(JSON.stringify(value)));

it("C6: equal values have no difference, others have", () => {
  fc.assert(
    fc.property(anyJson, anyJson, (a, b) => {
      expect(diffValues(a, structuredClone(a))).toEqual([]);
      const same = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
      expect(diffValues(a, b).length === 0).toBe(same);
    }),
  );
});

it("C6: added, changed and removed values have their path", () => {
  expect(diffValues({ task: { id: 9288, old: true } }, { task: { id: 9317, tags: ["x"] } })).toEqual([
    { path: ["task", "id"], kind: "change", before: 9288, after: 9317 },
    { path: ["task", "old"], kind: "remove", before: true, after: undefined },
    { path: ["task", "tags"], kind: "add", before: undefined, after: ["x"] },
  ]);
});

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, entry]) => [key, sorted(entry)]),
  );
}
