import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../session/json/json.ts";
import { parseExpression, type Reference, valueAt } from "./reference.ts";
import { chooseValue, escapeValue, resolveValue } from "./resolve.ts";

const state: Json = { a: 1, no: null, zero: 0, list: [{ x: "†state.a" }], deep: { y: [true] } };
const read = ({ kind, path }: Reference) => (kind === "state" ? valueAt(state, path) : undefined);
const choose = (text: string) => {
  const expression = parseExpression(text);
  if (!expression.ok) throw new Error(expression.error.message);
  return chooseValue(expression.value, read);
};
const nothing = () => undefined;
const json = fc.jsonValue({ maxDepth: 4 }).map((value): Json => JSON.parse(JSON.stringify(value)));
const textual = fc
  .oneof(
    json,
    fc.array(fc.constantFrom("†", "††", "†state.x", "see †x", "")),
    fc.dictionary(fc.constantFrom("a", "__proto__", "†"), fc.constantFrom("†a", "††", "b")),
  )
  .map((value): Json => JSON.parse(JSON.stringify(value)));

/** Every object and array in a value. */
function objectsIn(value: Json): object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}

describe("P3: resolution", () => {
  test("P3: references are resolved in nested objects and arrays, what is escaped loses one †", () => {
    expect(
      resolveValue({ n: "†state.a", in: [{ deep: "†state.deep.y[0]" }, "††state.a", "no †state.a"] }, read),
    ).toEqual({ n: 1, in: [{ deep: true }, "†state.a", "no †state.a"] });
    expect(resolveValue("plain", nothing)).toBe("plain");
    expect(resolveValue([null, 5, false], nothing)).toEqual([null, 5, false]);
  });

  test("P3: one pass: a † inside of a value that was read is data", () => {
    expect(resolveValue("†state.list[0].x", read)).toBe("†state.a");
    expect(resolveValue({ all: "†state.list" }, read)).toEqual({ all: [{ x: "†state.a" }] });
  });

  test("P3: a value that is escaped resolves to itself, without reading anything", () => {
    fc.assert(fc.property(textual, (value) => void expect(resolveValue(escapeValue(value), nothing)).toEqual(value)));
  });

  test("P3: what is not present, or was never checked, is a broken invariant", () => {
    expect(() => resolveValue({ x: "†state.missing || †input.x" }, read)).toThrow("†state.missing || †input.x");
    expect(() => resolveValue("†state.", read)).toThrow("†state.");
  });
});

describe("P5, P6: alternatives and gates", () => {
  test("P5: the first alternative that is present; null, false, 0 are", () => {
    expect(choose("†state.no || †state.a")).toBeNull();
    expect(choose("†state.missing || †state.zero || †state.a")).toBe(0);
    expect(choose("†state.missing || †input.x")).toBeUndefined();
  });

  test("P6: a gate has its last member's value once all are present", () => {
    expect(choose("†state.deep && †state.a")).toBe(1);
    expect(choose("†state.missing && †state.a")).toBeUndefined();
    expect(choose("†state.a && †state.missing || †state.zero")).toBe(0);
  });
});

describe("P8: values are passed by value", () => {
  test("P8: resolving never touches the source, and the result shares nothing with it", () => {
    fc.assert(
      fc.property(json, textual, (value, literal) => {
        const parameters = { read: "†state", more: ["†state"], literal: escapeValue(literal) };
        const before = JSON.stringify([value, parameters]);
        const resolved = resolveValue(parameters, () => value);
        const sources = new Set([...objectsIn(value), ...objectsIn(parameters)]);
        const made = objectsIn(resolved);
        expect(made.some((object) => sources.has(object))).toBe(false);
        expect(new Set(made).size).toBe(made.length);
        expect(resolved).toEqual({ read: value, more: [value], literal });
        expect(JSON.stringify([value, parameters])).toBe(before);
      }),
    );
  });

  test("P8: a parameter named __proto__ stays an ordinary one", () => {
    const resolved = resolveValue(JSON.parse('{"__proto__": {"x": "†state.a"}}'), read);
    expect(JSON.stringify(resolved)).toBe('{"__proto__":{"x":1}}');
    expect(Object.getPrototypeOf(resolved)).toBe(Object.prototype);
    expect(choose("†state.__proto__ || †state.constructor || †state.list.length")).toBeUndefined();
  });
});
