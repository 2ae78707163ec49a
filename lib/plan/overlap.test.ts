import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { overlaps } from "./overlap.ts";
import type { Reference } from "./reference.ts";

const reference: fc.Arbitrary<Reference> = fc.record({
  kind: fc.constantFrom("state", "input"),
  path: fc.array(fc.constantFrom<string | number>("a", "b", 0, "0"), { maxLength: 4 }),
});

describe("P15: overlap by prefix", () => {
  test("P15: is symmetric, and a reference overlaps itself and its descendants", () => {
    fc.assert(fc.property(reference, reference, (a, b) => void expect(overlaps(a, b)).toBe(overlaps(b, a))));
    fc.assert(
      fc.property(
        reference,
        fc.array(fc.string()),
        (a, more) => void expect(overlaps(a, { ...a, path: [...a.path, ...more] })).toBe(true),
      ),
    );
  });

  test("P15: siblings and other kinds do not touch", () => {
    expect(overlaps({ kind: "state", path: ["user"] }, { kind: "state", path: ["user", "name"] })).toBe(true);
    expect(overlaps({ kind: "state", path: ["user", "id"] }, { kind: "state", path: ["user", "name"] })).toBe(false);
    expect(overlaps({ kind: "state", path: ["use"] }, { kind: "state", path: ["user"] })).toBe(false);
    expect(overlaps({ kind: "state", path: [] }, { kind: "input", path: [] })).toBe(false);
  });
});
