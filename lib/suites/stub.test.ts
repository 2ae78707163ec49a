import fc from "fast-check";
import { expect, it, test } from "vitest";
import { createSchemaChecker } from "../engine/json-schema.ts";
import type { Json, JsonObject } from "../session/json/json.ts";
import { stubOf } from "./stub.ts";

const checker = createSchemaChecker();

const { schema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<JsonObject>(
      { type: "boolean" },
      { type: "null" },
      { type: ["string", "null"] },
      { type: "string" },
    ),
    fc.record({ type: fc.constant("string"), minLength: fc.nat(5) }),
    fc.record({ type: fc.constantFrom("integer", "number"), minimum: fc.integer({ min: -9, max: 9 }) }),
    fc.record({
      type: fc.constant("integer"),
      exclusiveMinimum: fc.integer({ min: -9, max: 9 }),
      multipleOf: fc.integer({ min: 1, max: 4 }),
    }),
    fc.record({ type: fc.constant("integer"), maximum: fc.integer({ min: -9, max: 9 }) }),
    fc.record({ enum: fc.array(fc.constantFrom<Json>(1, "a", null, [2]), { minLength: 1, maxLength: 3 }) }),
    fc.record({ type: fc.constant("array"), items: tie("schema"), minItems: fc.nat(2) }),
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
    fc.record({
      type: fc.constant("object"),
      properties: fc.record({ a: tie("schema"), b: tie("schema") }),
      required: fc.subarray(["a", "b"]),
    }),
  ),
}));

test("a stub fits its schema", () => {
  fc.assert(
    fc.property(schema, (one) => {
      expect(checker.faults(one, stubOf(one))).toEqual([]);
    }),
  );
});

it("is what the schema names: a constant, a default, an example", () => {
  expect(stubOf({ const: "x", type: "string" })).toBe("x");
  expect(stubOf({ type: "string", default: "usual" })).toBe("usual");
  expect(stubOf({ type: "string", examples: ["AB123", "CD4"] })).toBe("AB123");
});

it("ends where a schema does not", () => {
  const endless: JsonObject = { type: "object", required: ["next"], properties: {} };
  endless.properties = { next: endless };
  expect(JSON.stringify(stubOf(endless)).length).toBeLessThan(1_000);
});
