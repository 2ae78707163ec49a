import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSchemaChecker } from "../../engine/json-schema.ts";
import type { Json } from "../../session/json/json.ts";
import { partAt, schemaSource } from "./schema-source.ts";
import { Comparison } from "./schema-types.ts";

const checker = createSchemaChecker();

/** `fits` when every value does, `never` when none does, else why that is open. */
function verdict(source: Json, target: Json): string {
  const findings = new Comparison(checker).compare(schemaSource(source), { schema: target, root: target });
  if (findings.length === 0) return "fits";
  return findings.some(({ certain }) => certain) ? "never" : (findings[0]?.message ?? "");
}

const bound = fc.integer({ min: 0, max: 3 });
const leaf: fc.Arbitrary<Json> = fc.constantFrom<Json>(
  null,
  true,
  false,
  0,
  1,
  2,
  1.5,
  -1,
  "",
  "a",
  "ab",
  "2020-01-01",
);
const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
const type = fc.constantFrom("null", "boolean", "object", "array", "string", "integer", "number");

/** Schemas of few words over few values, so that they meet. */
const schema: fc.Arbitrary<Json> = fc.letrec<{ schema: Json }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 2, depthSize: "small" },
    fc.record({ type }),
    fc.record({ type: fc.uniqueArray(type, { minLength: 1, maxLength: 3 }) }),
    fc.record(
      { type: fc.constantFrom("integer", "number"), minimum: bound, maximum: bound },
      { requiredKeys: ["type"] },
    ),
    fc.record(
      { type: fc.constant("number"), exclusiveMinimum: bound, exclusiveMaximum: bound },
      { requiredKeys: ["type"] },
    ),
    fc.record({ multipleOf: fc.constantFrom(1, 2) }),
    fc.record({ type: fc.constant("string"), minLength: bound, maxLength: bound }, { requiredKeys: ["type"] }),
    fc.record(
      { type: fc.constant("string"), format: fc.constant("date"), pattern: fc.constant("^a") },
      { requiredKeys: [] },
    ),
    fc.record({ enum: fc.uniqueArray(leaf, { minLength: 1, maxLength: 3 }) }),
    fc.record({ const: leaf }),
    fc.boolean(),
    fc.record(
      {
        type: fc.constant("object"),
        properties: fc.dictionary(fc.constantFrom("a", "b"), tie("schema"), { maxKeys: 2, noNullPrototype: true }),
        required: fc.uniqueArray(fc.constantFrom("a", "b"), { maxLength: 2 }),
        additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
        patternProperties: fc.dictionary(fc.constantFrom("^a", "^c"), tie("schema"), {
          maxKeys: 1,
          noNullPrototype: true,
        }),
        minProperties: bound,
        maxProperties: bound,
      },
      { requiredKeys: [] },
    ),
    fc.record(
      {
        type: fc.constant("array"),
        items: tie("schema"),
        prefixItems: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
        minItems: bound,
        maxItems: bound,
        uniqueItems: fc.boolean(),
        contains: tie("schema"),
      },
      { requiredKeys: [] },
    ),
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }), type }, { requiredKeys: ["allOf"] }),
    fc.record({ not: tie("schema") }),
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
    fc.record({ if: tie("schema"), then: tie("schema"), else: tie("schema") }),
    fc.record({ $ref: fc.constantFrom("#/$defs/x", "#"), $defs: fc.record({ x: tie("schema") }) }),
  ),
})).schema;

describe("P16: types are compared soundly", () => {
  test("P16: what fits always fits, and what never fits never does", () => {
    fc.assert(
      fc.property(schema, schema, fc.array(value, { minLength: 20, maxLength: 40 }), (source, target, values) => {
        fc.pre(checker.refusal(source) === null && checker.refusal(target) === null);
        const found = verdict(source, target);
        for (const each of values) {
          if (!holds(source, each)) continue;
          if (found === "fits") expect(holds(target, each)).toBe(true);
          if (found === "never") expect(holds(target, each)).toBe(false);
        }
      }),
      { numRuns: 400 },
    );
  });

  test("P16: a part of a value is what the schema says of the part", () => {
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 20, maxLength: 40 }), (source, values) => {
        fc.pre(checker.refusal(source) === null);
        const part = partAt(schemaSource(source), ["a"]);
        for (const each of values) {
          if (!holds(source, each) || typeof each !== "object" || each === null || Array.isArray(each)) continue;
          if (part === null) expect(Object.hasOwn(each, "a")).toBe(false);
        }
      }),
      { numRuns: 200 },
    );
  });
});

/** `$ref: "#"` alone never ends, and is none of a schema's values either way. */
function holds(schema: Json, value: Json): boolean {
  try {
    return checker.faults(schema, value).length === 0;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

describe("P16: what people write", () => {
  const user = {
    type: "object",
    properties: { name: { type: "string" } },
    required: ["name"],
    additionalProperties: false,
  };
  test.each<[string, Json, Json, string]>([
    ["the same schema, whatever it says", { not: { pattern: "x" } }, { not: { pattern: "x" } }, "fits"],
    ["a whole number is a number", { type: "integer" }, { type: "number" }, "fits"],
    [
      "a number may have a fraction",
      { type: "number" },
      { type: "integer" },
      "may be a number with a fraction, but must be a whole number",
    ],
    ["a text is no number", { type: "string" }, { type: "number" }, "never"],
    ["null may come", { type: ["string", "null"] }, { type: "string" }, "may be null, but must be a string"],
    [
      "narrower bounds",
      { type: "integer", minimum: 1, maximum: 5 },
      { type: "number", minimum: 0, maximum: 9 },
      "fits",
    ],
    ["bounds that do not meet", { type: "integer", maximum: 5 }, { type: "number", minimum: 6 }, "never"],
    [
      "a format is checked later",
      { type: "string" },
      { type: "string", format: "email" },
      "must have the format email",
    ],
    ["the same format", { type: "string", format: "email" }, { type: "string", format: "email" }, "fits"],
    ["each word is allowed", { enum: ["a", "b"] }, { enum: ["a", "b", "c"] }, "fits"],
    ["no word is allowed", { enum: ["a", "b"] }, { enum: ["c"] }, "never"],
    ["a closed object in an open one", user, { type: "object", properties: { name: { type: "string" } } }, "fits"],
    ["a field that is missing", user, { type: "object", required: ["email"] }, "never"],
    [
      "a field that may be there",
      { type: "object", properties: user.properties, required: ["name"] },
      user,
      "may have fields that its schema does not describe",
    ],
    ["items", { type: "array", items: { type: "integer" } }, { type: "array", items: { type: "number" } }, "fits"],
    [
      "items that do not fit, of a list that may be empty",
      { type: "array", items: { type: "string" } },
      { type: "array", items: { type: "number" } },
      "is a string, but must be a number",
    ],
    [
      "a union that is covered",
      { anyOf: [{ type: "string" }, { type: "integer" }] },
      { type: ["string", "number"] },
      "fits",
    ],
    ["definitions", { $ref: "#/$defs/u", $defs: { u: user } }, { type: "object", required: ["name"] }, "fits"],
    [
      "a keyword that is not compared",
      { type: "string" },
      { if: { type: "string" }, else: { minLength: 1 } },
      "can be checked against if only at run time",
    ],
    [
      "other words than JSON Schema's say nothing",
      { type: "string" },
      { "x-label": "Name", description: "who" },
      "fits",
    ],
  ])("%s", (_what, source, target, expected) => {
    expect(verdict(source, target)).toBe(expected);
  });

  test("a schema that refers to itself ends", () => {
    const tree = { type: "object", properties: { left: { $ref: "#" }, right: { $ref: "#" } } };
    expect(verdict(tree, { ...tree, description: "another" })).toMatch(/too large|refers to itself|described/);
    expect(verdict({ anyOf: [{ $ref: "#" }, { type: "null" }] }, { type: "null" })).not.toMatch(/^(fits|never)$/);
  });
});
