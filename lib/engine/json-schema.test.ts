import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isJsonObject, type Json, type JsonObject } from "../session/json/json.ts";
import { createSchemaChecker } from "./json-schema.ts";
import { isLinearPattern, linearCost } from "./schema-cost.ts";

const checker = createSchemaChecker();
const told = (schema: Json, value: Json) =>
  checker.faults(schema, value).map(({ path, message }) => `${path.join(".")} ${message}`.trim());

/** A value in a value in a value. */
function nested(depth: number): JsonObject {
  return depth === 0 ? {} : { x: nested(depth - 1) };
}

describe("P2, P13: values against schemas", () => {
  test("P13: each fault has its place and words that follow the field's name", () => {
    const schema = {
      type: "object",
      required: ["id", "name"],
      additionalProperties: false,
      properties: {
        id: { type: "integer", minimum: 1 },
        name: { type: ["string", "null"], maxLength: 1 },
        mail: { format: "email" },
        tags: { type: "array", items: { enum: ["a", "b"] }, maxItems: 2, uniqueItems: true },
      },
    };
    expect(told(schema, { id: 1, name: null, mail: "a@b.de", tags: ["a"] })).toEqual([]);
    expect(told(schema, { id: 0.5, mail: "x", tags: ["a", "c", "a"], more: 1 }).sort()).toEqual([
      "id must be a whole number",
      "mail must have the format email",
      "more is not a known field",
      "name is required",
      "tags must have at most 2 entries",
      'tags.1 must be one of "a", "b"',
    ]);
    expect(told(schema, { id: 0, name: "xy" })).toEqual([
      "id must be at least 1",
      "name must have at most 1 character",
    ]);
    expect(told(schema, [])).toEqual(["must be an object"]);
    expect(checker.faults({ items: { type: "null" } }, [1])[0]?.path).toEqual([0]);
    expect(told(false, 1)).toEqual(["is not allowed"]);
    expect(told(true, 1)).toEqual([]);
  });

  test("P13: of alternatives, the one that was meant is told about", () => {
    const user = { type: "object", required: ["id"] };
    expect(told({ anyOf: [{ $ref: "#/$defs/user" }, { type: "null" }], $defs: { user } }, {})).toEqual([
      "id is required",
    ]);
    expect(told({ anyOf: [{ type: "string" }, { type: "null" }] }, 5)).toEqual(["must be a string or null"]);
    expect(told({ oneOf: [{ const: "a" }, { enum: ["b", "c"] }] }, 5)).toEqual(['must be "a" or one of "b", "c"']);
    expect(told({ anyOf: [{ required: ["a"] }, { required: ["b"] }] }, {})).toEqual([
      "matches none of the allowed forms",
    ]);
    expect(told({ oneOf: [{ type: "number" }, { minimum: 2 }] }, 3)).toEqual([
      "matches several of the allowed forms, but must match exactly one",
    ]);
  });

  test("P13: unknown keywords and formats of others pass; draft-07 is read as such", () => {
    expect(told({ "x-order": 3, format: "phone", type: "string" }, "a")).toEqual([]);
    const tuple = { $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "number" }] };
    expect(told(tuple, ["a"])).toEqual(["0 must be a number"]);
    expect(checker.refusal({ items: [{ type: "number" }] })).not.toBeNull();
    expect(told({ pattern: "^a\\_b$" }, "a_b")).toEqual([]);
  });

  test("P8: only own keys count, and values are left as they are", () => {
    expect(told({ required: ["toString", "__proto__"] }, {})).toEqual([
      "toString is required",
      "__proto__ is required",
    ]);
    expect(told({ required: ["__proto__"] }, JSON.parse('{"__proto__": 1}'))).toEqual([]);
    const value = Object.freeze({});
    expect(checker.faults({ properties: { a: { default: 5 } } }, value)).toEqual([]);
    expect(value).toEqual({});
  });

  test("P8: keys that objects have by birth are keys like any other where values are compared", () => {
    const key = fc.constantFrom("valueOf", "toString", "constructor", "__proto__", "hasOwnProperty", "toJSON", "a");
    const value = fc.letrec<{ any: Json }>((tie) => ({
      any: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom<Json>(null, 0, 1, "__proto__", true),
        fc.array(tie("any"), { maxLength: 3 }),
        fc.array(fc.tuple(key, tie("any")), { maxLength: 3 }).map((entries): Json => Object.fromEntries(entries)),
      ),
    })).any;
    // Told apart by their names: an object without keys is no array without entries.
    const sorted = (each: Json): Json => {
      if (Array.isArray(each)) return ["array", ...each.map(sorted)];
      if (!isJsonObject(each)) return each;
      const entries = Object.entries(each).map(([name, inner]): Json => [name, sorted(inner)]);
      return ["object", ...entries.sort()];
    };
    const text = (each: Json) => JSON.stringify(sorted(each));
    fc.assert(
      fc.property(value, fc.array(value, { minLength: 1, maxLength: 4 }), (one, others) => {
        const [first = null] = others;
        expect(checker.faults({ const: first }, one).length === 0).toBe(text(one) === text(first));
        expect(checker.faults({ enum: others }, one).length === 0).toBe(
          others.some((other) => text(other) === text(one)),
        );
        expect(checker.faults({ enum: others }, structuredClone(first))).toEqual([]);
        expect(checker.faults({ uniqueItems: true }, others).length === 0).toBe(
          new Set(others.map(text)).size === others.length,
        );
        expect(checker.refusal({ $schema: "http://json-schema.org/draft-07/schema#", enum: [one, [one]] })).toBeNull();
      }),
    );
    expect(told({ uniqueItems: true }, ["a", { valueOf: 1 }, { valueOf: 1 }])).toEqual([
      "must not have duplicate entries; 1 and 2 are equal",
    ]);
    expect(told({ uniqueItems: true, items: { type: "string" } }, ["__proto__", "__proto__"])).toHaveLength(1);
    expect(told({ uniqueItems: false }, [1, 1])).toEqual([]);
  });

  test("P16: what is no JSON Schema is refused with its place", () => {
    expect(checker.refusal({ type: "object" })).toBeNull();
    expect(checker.refusal(true)).toBeNull();
    expect(checker.refusal("object")).toContain("must be a JSON Schema");
    expect(checker.refusal({ properties: { a: { type: "text" } } })).toContain("/properties/a/type");
    expect(checker.refusal({ pattern: "(" })).toContain("Unterminated group");
    expect(() => checker.faults({ type: "text" }, 1)).toThrow("/type");
    expect(() => checker.faults(5, 1)).toThrow("JSON Schema");
  });

  test("P16: any JSON is a schema or refused", () => {
    const keyword = fc.constantFrom(
      "type",
      "$ref",
      "$id",
      "pattern",
      "items",
      "properties",
      "anyOf",
      "enum",
      "required",
    );
    const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom("string", "#", "(", "#/$defs/x"));
    fc.assert(
      fc.property(fc.oneof(fc.dictionary(keyword, value), fc.jsonValue()), fc.jsonValue(), (schema, tried) => {
        const json: Json = JSON.parse(JSON.stringify(schema));
        if (checker.refusal(json) === null) checker.faults(json, JSON.parse(JSON.stringify(tried)));
      }),
    );
  });
});

describe("P16: schemas of strangers", () => {
  test("P16: schemas with the same $id are not taken for one another", () => {
    const schema = (type: string) => ({ $id: "https://a.example/x", $ref: "y", $defs: { y: { $id: "y", type } } });
    expect(told(schema("number"), "1")).toEqual(["must be a number"]);
    expect(told(schema("string"), "1")).toEqual([]);
    expect(told(schema("number"), 1)).toEqual([]);
  });

  test.each([
    ["at the top", { $async: true, type: "object", required: ["id"] }],
    ["in a field", { properties: { id: { $async: true, type: "integer" } } }],
    ["behind a $ref", { $ref: "#/$defs/id", $defs: { id: { $id: "id.json", $async: true, type: "integer" } } }],
    [
      "behind a $dynamicRef",
      {
        properties: { id: { $dynamicRef: "#id" } },
        $defs: { id: { $dynamicAnchor: "id", $async: true, type: "integer", minimum: 1 } },
      },
    ],
    ["of draft-07", { $schema: "http://json-schema.org/draft-07/schema#", $async: true, type: "integer" }],
    ["where a $ref leads to what is no schema", { $ref: "#/const", const: { $async: true, type: "integer" } }],
  ])("P16: $async %s is refused: it would let every value pass", (_, schema) => {
    expect(checker.refusal(schema)).toContain("$async");
    expect(() => checker.faults(schema, { id: "none" })).toThrow("$async");
  });

  test.each<[string, JsonObject, Json]>([
    ["$data", { properties: { a: { const: { $data: "1/b" } } } }, { a: 1, b: 1 }],
    ["a format that nobody knows beside what is known", { type: "string", format: "none" }, 1],
    ["default", { required: ["a"], properties: { a: { default: 1 } } }, {}],
    ["coercion", { type: "integer" }, "1"],
  ])("P16: %s lets no value pass that would not pass without", (_, schema, value) => {
    const before = JSON.stringify(value);
    expect(checker.faults(schema, value)).not.toEqual([]);
    expect(JSON.stringify(value)).toBe(before);
  });

  test("P16: a reference to another document is refused, and nothing is fetched", () => {
    expect(checker.refusal({ $ref: "https://a.example/schema" })).toContain("https://a.example/schema");
  });

  test("P16: a pattern, or references, that take for ever end as a fault", () => {
    expect(told({ properties: { a: { pattern: "^(a+)+$" } } }, { a: `${"a".repeat(60)}!` })[0]).toContain(
      "could not be checked",
    );
    const again = { properties: { x: { $ref: "#/$defs/a" } }, required: ["z"] };
    expect(told({ $defs: { a: { anyOf: [again, again] } }, $ref: "#/$defs/a" }, nested(50))[0]).toContain(
      "could not be checked",
    );
    // The same checker goes on.
    expect(told({ pattern: "^(a+)+$" }, "aaa")).toEqual([]);
  });

  test.each<[string, JsonObject]>([
    ["itself", { type: "object", properties: { a: { $ref: "#/properties/a" } } }],
    ["another that refers back", { $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" }],
  ])("P16: a $ref that leads only to %s is refused in words", (_, schema) =>
    expect(checker.refusal(schema)).toBe("has a $ref that leads back to itself; let it lead into a part of the value"),
  );

  test.each<[string, JsonObject]>([
    ["an alternative of itself", { properties: { a: { anyOf: [{ $ref: "#/properties/a" }] } } }],
    ["all of itself", { $defs: { a: { allOf: [{ $ref: "#/$defs/a" }] } }, properties: { a: { $ref: "#/$defs/a" } } }],
    ["itself by an anchor", { properties: { a: { $dynamicRef: "#" } }, $dynamicRef: "#" }],
  ])("P16: a value whose schema is %s is a fault, not an error", (_, schema) => {
    expect(told(schema, { a: 1 })).toEqual([
      "could not be checked, because its schema has a $ref that leads back to itself",
    ]);
  });

  test("P16: a tree of any depth is checked", () => {
    const tree = {
      $defs: { node: { type: "object", properties: { x: { $ref: "#/$defs/node" } }, additionalProperties: false } },
      $ref: "#/$defs/node",
    };
    expect(told(tree, nested(60))).toEqual([]);
    expect(told(tree, { x: { x: { y: 1 } } })).toHaveLength(1);
  });

  test("P16: a check that waits for the processor is not cut short: only its own work counts", () => {
    let reads = 0;
    const value: JsonObject = {
      get a() {
        reads += 1;
        if (reads === 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_000);
        return "b";
      },
    };
    expect(told({ properties: { a: { pattern: "a+" } } }, value)).toEqual(["a must match the pattern a+"]);
  });

  test("P16: one validation's costly checks have a time together, after which nothing costly is checked", () => {
    const bounded = checker.bounded();
    const hostile = Array.from({ length: 40 }, (_, n) => ({ pattern: `^(a+)+${n}$` }));
    const faults = hostile.map((schema) => bounded.faults(schema, `${"a".repeat(40)}b`)[0]?.message ?? "");
    expect(faults[0]).toContain("could not be checked within");
    expect(faults.at(-1)).toContain("took too long");
    expect(faults.filter((fault) => fault.includes("within")).length).toBeLessThan(20);
    expect(bounded.refusal({ maxLength: 41 })).toContain("took too long");
    expect(bounded.faults({ maxLength: 42 }, "a")).toHaveLength(1);
    // What costs nothing and is ready goes on, and another validation has a time of its own.
    const ready = { maxLength: 43 };
    expect(checker.refusal(ready)).toBeNull();
    expect(bounded.faults(ready, "a")).toEqual([]);
    expect(checker.bounded().faults({ maxLength: 41 }, "a")).toEqual([]);
    expect(checker.refusal({ maxLength: 41 })).toBeNull();
  });

  test("P16: a schema of a size that nobody writes is refused", () => {
    expect(checker.refusal({ enum: Array.from({ length: 20_000 }, (_, value) => value) })).toContain("at most");
  });

  test.each<[string, JsonObject, Json]>([
    ["a constant", { items: { const: 0 } }, Array(50_000).fill(1)],
    ["one of some", { items: { enum: [0] } }, Array(50_000).fill(1)],
    ["a type", { items: { type: "string" } }, Array(500_000).fill(1)],
    ["what a list has to have", { contains: { contains: { const: 0 } } }, Array(700).fill(Array(700).fill(1))],
    ["a pattern", { items: { pattern: "(a+)+$" } }, Array(50).fill(`${"a".repeat(40)}!`)],
  ])("P16: what costs much ends at its first fault, or by its time: %s", (_, schema, value) => {
    const faults = checker.bounded().faults(schema, value);
    expect(faults).toHaveLength(1);
  });

  test("P16: an honest list of many entries is checked as a whole", () => {
    const schema: JsonObject = {
      items: { type: "object", required: ["id"], properties: { id: { type: "integer" }, kind: { enum: ["a", "b"] } } },
    };
    const entries = Array.from({ length: 5_000 }, (_, id) => ({ id, kind: "a", note: "x".repeat(50) }));
    const wrong = entries.with(4_000, { id: 1, kind: "c", note: "" });
    const fault = { path: [4_000, "kind"], message: 'must be one of "a", "b"' };
    expect(checker.faults(schema, entries)).toEqual([]);
    expect(checker.faults(schema, wrong)).toMatchObject([fault]);
  });

  test("P16: faults are told up to a number that helps", () => {
    expect(checker.faults({ items: { type: "string" } }, Array(1_000).fill(1))).toHaveLength(20);
  });

  test("P13: what is wrong at one place is told, however much is wrong elsewhere", () => {
    const required = Array.from({ length: 30 }, (_, at) => `k${at}`);
    const schema = { required, properties: { order: { properties: { id: { type: "string" } } } } };
    const wrong = { order: { id: 5 } };
    expect(checker.faults(schema, wrong, ["order", "id"])).toMatchObject([
      { path: ["order", "id"], message: "must be a string" },
    ]);
    expect(checker.faults(schema, wrong, ["order"])).toHaveLength(1);
    expect(checker.faults(schema, wrong, ["other"])).toEqual([]);
    expect(checker.faults(schema, { order: { id: "" } }, ["order"])).toEqual([]);
  });

  test("P16: more schemas than are kept are still right", () => {
    const schemas = Array.from({ length: 1_010 }, (_, least) => ({ minimum: least }));
    for (const schema of [...schemas, ...schemas.slice(0, 20)])
      expect(checker.faults(schema, schema.minimum)).toEqual([]);
  });
});

const isPriced = (schema: JsonObject) => linearCost(schema) < Number.POSITIVE_INFINITY;

describe("what a check may cost", () => {
  test("P16: a schema's patterns count by what compiling them takes", () => {
    const classes = (count: number) => "\\p{L}".repeat(count);
    const tooLarge = "must have at most 5000 parts";
    expect(checker.refusal({ properties: { a: { pattern: classes(1_500) } } })).toBe(tooLarge);
    expect(checker.refusal({ patternProperties: { [classes(1_500)]: {} } })).toBe(tooLarge);
    expect(checker.refusal({ pattern: "a|".repeat(100_000) })).toBe(tooLarge);
    expect(checker.refusal({ pattern: `^${classes(20)}$`, description: "\\p ".repeat(20_000) })).toBeNull();
    expect(told({ format: "regex" }, classes(150))).toEqual([]);
    expect(told({ format: "regex" }, classes(1_500))).toEqual(["must have the format regex"]);
  });

  test("P16: only patterns that read a text a bounded number of times are linear", () => {
    expect(["^[A-Z]{2}-\\d+$", "^\\p{L}+$", "^\\w{1,40}$", "^[^@]+@", "^v\\d?\\.x$"].every(isLinearPattern)).toBe(true);
    const costly = [
      "(a+)+$",
      "a+",
      "^a+b+$",
      "^(a|a)*$",
      "^(?=a)b",
      "^x\\1",
      "^a?a?a?a?a?a?a?a?a?a?$",
      "^a{1,99}b{1,99}$",
    ];
    expect(costly.filter(isLinearPattern)).toEqual([]);
  });

  test("P16: references count with what they stand for", () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [
        `d${at}`,
        { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
      ]),
    );
    expect(isPriced({ $defs: { m: { type: "object" } }, properties: { a: { $ref: "#/$defs/m" } } })).toBe(true);
    expect(isPriced({ $defs: { ...doubling, d30: {} }, $ref: "#/$defs/d0" })).toBe(false);
    expect(isPriced({ $defs: { m: { $ref: "#/$defs/m" } } })).toBe(false);
    expect(isPriced({ $ref: "#" })).toBe(false);
    expect(isPriced({ items: { uniqueItems: true } })).toBe(true);
    expect(isPriced({ items: { patternProperties: {} } })).toBe(false);
  });
});
