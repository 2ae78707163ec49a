import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../session/json/json.ts";
import { readCall } from "./read-solution.ts";
import { closedObject, StrictWriter } from "./strict-schema.ts";
import { strictFlaws } from "./testing/strict-flaws.ts";
import { tool } from "./testing/tools.ts";
import { callSchema } from "./tool-schemas.ts";

const SCENE = { kinds: ["state", "input"], instances: [], delegates: [] };

/** The strict schema of one value, and whether a value fits it. */
function strict(schema: Json, references = true) {
  const writer = new StrictWriter();
  const value = writer.write(schema, { document: schema, references, level: 1 });
  const whole = { ...closedObject({ value }), $defs: writer.defs };
  const check = compiled(whole);
  return { whole, value, fits: (given: Json) => check({ value: given }) };
}

function compiled(schema: JsonObject) {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  return ajv.compile(schema);
}

describe("P19: a schema in the strict subset", () => {
  test.each<[string, Json, Json[], Json[]]>([
    ["a text", { type: "string" }, ["x", "†state.x"], [1, null]],
    ["a number or where to read it", { type: "number", minimum: 1 }, [2, "†state.n || †input.n"], [0, "2", "††"]],
    ["a choice or where to read it", { enum: ["a", "b"] }, ["a", "†state.x"], ["c"]],
    ["a date or where to read it", { type: "string", format: "date" }, ["2026-01-31", "†state.x"], ["soon"]],
    ["several types", { type: ["integer", "null"] }, [1, null, "†state.x"], [1.5, true]],
    [
      "references inside of lists and objects",
      { type: "array", items: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] } },
      [[{ id: 1 }, { id: "†state.id" }, "†state.item"], "†state.items"],
      [[{ id: "1" }], [{}], [{ id: 1, more: 1 }]],
    ],
    [
      "optional keys, which are null",
      { type: "object", properties: { a: { type: "string" }, b: { type: "integer" } }, required: ["a"] },
      [
        { a: "x", b: null },
        { a: "x", b: 1 },
      ],
      [{ a: null, b: null }, { a: "x" }],
    ],
    [
      "alternatives",
      {
        oneOf: [
          { type: "object", properties: { kind: { const: "a" }, x: {} }, required: ["kind"] },
          { type: "boolean" },
        ],
      },
      [{ kind: "a", x: 1 }, true],
      [{ kind: "b", x: 1 }, 1],
    ],
    [
      "a schema put together by allOf",
      {
        allOf: [
          { type: "object", properties: { a: { type: "integer" } } },
          { properties: { b: { type: "boolean" } }, required: ["b"] },
        ],
      },
      [
        { a: 1, b: true },
        { a: null, b: false },
      ],
      [{ b: null, a: 1 }, { a: 1 }],
    ],
    [
      "a schema that refers to itself",
      {
        $defs: {
          tree: { type: "object", properties: { children: { type: "array", items: { $ref: "#/$defs/tree" } } } },
        },
        $ref: "#/$defs/tree",
      },
      [{ children: [{ children: null }, "†state.tree"] }],
      [{ children: [1] }],
    ],
    [
      "a description beside a reference to the schema itself",
      {
        type: "object",
        properties: { name: { type: "string" }, boss: { allOf: [{ $ref: "#" }], description: "Who leads" } },
        required: ["name"],
      },
      [{ name: "a", boss: { name: "b", boss: { name: "c", boss: null } } }],
      [{ name: "a", boss: { name: "b", boss: { name: 1, boss: null } } }],
    ],
    ["anything", true, [1, "x", null, [1, ["x"]], { _json: '{"a":1}' }], [{ a: 1 }]],
    [
      "an object with keys of any name",
      { type: "object", additionalProperties: { type: "integer" } },
      [{ _json: '{"a":1}' }, "†state.x"],
      [{ a: 1 }, 1],
    ],
  ])("%s", (_what, schema, fitting, others) => {
    const { whole, fits } = strict(schema);
    expect(strictFlaws(whole)).toEqual([]);
    expect(fitting.filter((value) => !fits(value))).toEqual([]);
    expect(others.filter((value) => fits(value))).toEqual([]);
  });

  test("takes no references where values have to be given", () => {
    expect(strict({ type: "number" }, false).fits("†state.x")).toBe(false);
  });

  test("what it cannot check is told in the description", () => {
    const { value } = strict({ type: "string", description: "A name", minLength: 2, pattern: "(?=a)b" });
    expect(value).toEqual({ type: "string", description: 'A name. Has to fit {"minLength":2,"pattern":"(?=a)b"}' });
    expect(
      JSON.stringify(strict({ type: "object", properties: { a: { type: "string" } }, minProperties: 1 }).value),
    ).toContain('{\\"minProperties\\":1}');
  });

  test("what lies too deep is taken as JSON text", () => {
    let schema: Json = { type: "integer" };
    for (let depth = 0; depth < 15; depth++)
      schema = { type: "object", properties: { deeper: schema }, required: ["deeper"] };
    expect(strictFlaws(strict(schema).whole)).toEqual([]);
  });

  test.each<[string, JsonObject]>([
    ["by one choice", { a: { anyOf: [{ $ref: "#/properties/a" }] } }],
    ["by two schemas", { a: { anyOf: [{ $ref: "#/properties/b" }] }, b: { oneOf: [{ $ref: "#/properties/a" }] } }],
  ])("a schema that leads back to itself %s takes anything", (_, properties) => {
    const writer = new StrictWriter();
    const call = callSchema(tool("round", { type: "object", properties }), SCENE, writer);
    compiled({ ...call, $defs: writer.defs });
  });

  test("whatever a tool's schema is, the format takes it", () => {
    const scalar = fc.constantFrom<Json>("string", "number", "integer", "boolean", "null", "array", "object");
    const { schema } = fc.letrec<{ schema: Json }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<Json>(true, {}, { $ref: "#" }, { $ref: "#/properties/a" }, { $ref: "elsewhere" }, { not: {} }),
        fc.record<Record<string, Json>>({ type: fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })) }),
        fc.record<Record<string, Json>>({
          enum: fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { maxLength: 4 }),
        }),
        fc.record<Record<string, Json>>(
          {
            type: fc.constant("object"),
            properties: fc.dictionary(fc.constantFrom("a", "b", "_json", "__proto__"), tie("schema")),
            required: fc.subarray(["a", "b"]),
            additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
          },
          { requiredKeys: [] },
        ),
        fc.record<Record<string, Json>>({ type: fc.constant("array"), items: tie("schema") }),
        fc.record<Record<string, Json>>({ anyOf: fc.array(tie("schema"), { maxLength: 3 }) }),
        fc.record<Record<string, Json>>({ allOf: fc.array(tie("schema"), { maxLength: 3 }), minLength: fc.nat() }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("a", "b", "c"), schema), (properties) => {
        const writer = new StrictWriter();
        const call = callSchema(tool("any", { type: "object", properties }), SCENE, writer);
        const whole = { ...call, $defs: writer.defs };
        expect(strictFlaws(whole)).toEqual([]);
        compiled(whole);
      }),
      { numRuns: 100 },
    );
  });
});

/** A schema, a value that fits it, and the same value as the strict format takes it. */
interface Sample {
  schema: JsonObject;
  value: Json;
  said: Json;
}

const sample: fc.Arbitrary<Sample> = fc.letrec<{ any: Sample }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.string().map((value) => ({ schema: { type: "string" }, value, said: value })),
    fc.integer().map((value) => ({ schema: { type: "integer" }, value, said: value })),
    fc.boolean().map((value) => ({ schema: { type: "boolean" }, value, said: value })),
    fc.dictionary(fc.string(), fc.integer()).map((value) => ({
      schema: { type: "object", additionalProperties: { type: "integer" } },
      value,
      said: { _json: JSON.stringify(value) },
    })),
    tie("any").map(({ schema, value, said }) => ({
      schema: { type: "array", items: schema },
      value: [value, value],
      said: [said, said],
    })),
    fc
      .dictionary(
        fc.constantFrom("a", "b", "c"),
        fc.record({ inner: tie("any"), given: fc.constantFrom("required", "optional", "absent") }),
      )
      .map((fields) => {
        const entries = Object.entries(fields);
        return {
          schema: {
            type: "object",
            properties: Object.fromEntries(entries.map(([key, { inner }]) => [key, inner.schema])),
            required: entries.filter(([, { given }]) => given === "required").map(([key]) => key),
            additionalProperties: false,
          },
          value: Object.fromEntries(
            entries.filter(([, { given }]) => given !== "absent").map(([key, { inner }]) => [key, inner.value]),
          ),
          said: Object.fromEntries(
            entries.map(([key, { inner, given }]) => [key, given === "absent" ? null : inner.said]),
          ),
        };
      }),
  ),
})).any;

test("P19: what a model says in the strict format is the call that it means", () => {
  fc.assert(
    fc.property(sample, ({ schema, value, said }) => {
      const any = tool("any", { type: "object", properties: { p: schema }, required: ["p"] });
      const writer = new StrictWriter();
      const format = { ...callSchema(any, SCENE, writer), $defs: writer.defs };
      const call = { _tool: "any", _id: "1", _reasoningForCall: null, p: said, _scopes: null, _outputPath: null };
      expect(compiled(format)(call)).toBe(true);
      expect(readCall(call, [any])).toEqual({ _tool: "any", _id: "1", p: value });
    }),
    { numRuns: 100 },
  );
});
