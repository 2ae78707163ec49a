import { describe, expect, test } from "vitest";
import type { Json } from "../../session/json/json.ts";
import { exampleOf } from "./example.ts";

describe("P18: the shape of a result", () => {
  const shape = (schema: Json) => exampleOf(schema, new Map());

  test("P18: examples, else the default, else the first of enum, else the type's empty value", () => {
    expect(shape({ examples: [1, 2], default: 3, enum: [4] })).toBe(1);
    expect(shape({ default: null, enum: [4] })).toBeNull();
    expect(shape({ enum: ["x", "y"] })).toBe("x");
    expect(shape({ const: { a: 1 } })).toEqual({ a: 1 });
    expect(
      ["string", "number", "integer", "boolean", "null", "array", "object"].map((type) => shape({ type })),
    ).toEqual(["", 0, 0, false, null, [], {}]);
    expect(shape({ type: ["string", "null"] })).toBe("");
    expect(shape({ items: { type: "number" }, minItems: 2 })).toEqual([0, 0]);
    expect(shape({ required: ["b"], properties: { a: { properties: { c: { type: "string" } } } } })).toEqual({
      a: { c: "" },
      b: null,
    });
    expect(shape(true)).toBeNull();
  });

  test("P18: schemas that refer to definitions, to one another, or to themselves have a shape", () => {
    const node = { type: "object", properties: { id: { type: "number" }, next: { $ref: "#/$defs/node" } } };
    expect(shape({ $ref: "#/$defs/node", $defs: { node } })).toEqual({ id: 0, next: { id: 0, next: {} } });
    expect(
      shape({ allOf: [{ properties: { a: { type: "string" } } }, { properties: { b: { type: "number" } } }] }),
    ).toEqual({
      a: "",
      b: 0,
    });
    expect(shape({ anyOf: [{ type: "null" }, { type: "string" }] })).toBeNull();
    expect(shape({ $ref: "#" })).toBeNull();
    const doubling = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => {
        const next = { $ref: `#/$defs/d${at + 1}` };
        return [`d${at}`, { properties: { x: next, y: next } }];
      }),
    );
    expect(shape({ $ref: "#/$defs/d0", $defs: doubling })).toMatchObject({ x: { x: {} } });
  });
});
