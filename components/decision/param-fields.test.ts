import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "@/lib/session/json/json.ts";
import { fieldsOf, isAbout, parseJson, pointerOf, readFields } from "./param-fields.ts";

test("P22: parameters that were not edited are sent unchanged, with their types and order", () => {
  const params = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(params, (values) => {
      const before: Record<string, Json> = JSON.parse(JSON.stringify(values));
      const read = readFields(fieldsOf(before));
      expect(read).toEqual({ ok: true, params: before });
      expect(read.ok && JSON.stringify(read.params)).toBe(JSON.stringify(before));
    }),
  );
});

test("P22: fields one level down are edited one by one, deeper values as JSON", () => {
  const fields = fieldsOf({ id: 7, fields: { OPPORTUNITY: 250, PHONE: [{ VALUE: "1" }] }, note: {} });
  expect(fields.map(({ path, kind }) => [path.join("."), kind])).toEqual([
    ["id", "number"],
    ["fields.OPPORTUNITY", "number"],
    ["fields.PHONE", "json"],
    ["note", "json"],
  ]);
});

test("P8: a parameter named __proto__ is kept", () => {
  for (const text of ['{"__proto__": "x"}', '{"__proto__": {"a": 1}}', '{"a": {"__proto__": 1}}']) {
    const read = readFields(fieldsOf(JSON.parse(text)));
    expect(read.ok && JSON.parse(JSON.stringify(read.params))).toEqual(JSON.parse(text));
    expect(read.ok && JSON.stringify(read.params).includes("__proto__")).toBe(true);
  }
});

test("P22: an invalid value is reported at its field, and nothing is sent", () => {
  const broken = [
    { path: ["amount"], kind: "number", text: "seven" } as const,
    { path: ["fields", "a/b"], kind: "json", text: '["a"' } as const,
  ].map(({ path, ...field }) => ({ ...field, path: [...path] }));
  expect(readFields(broken)).toEqual({ ok: false, faults: { "/amount": "number", "/fields/a~1b": "json" } });
  expect(readFields([{ path: ["amount"], kind: "number", text: "" }])).toMatchObject({ ok: false });
  expect(
    readFields([
      { path: ["amount"], kind: "number", text: "9007199254740993" },
      { path: ["parts"], kind: "json", text: "[0.1, -0]" },
    ]),
  ).toEqual({ ok: false, faults: { "/amount": "inexact", "/parts": "inexact" } });
  expect(readFields([{ path: ["sums"], kind: "json", text: '{"sum": 1, "sum": 1000}' }])).toEqual({
    ok: false,
    faults: { "/sums": "repeated" },
  });
});

test("P22: a string of digits stays a string, a number stays a number", () => {
  const fields = fieldsOf({ id: "7", amount: 7 }).map((field) => ({ ...field, text: "8" }));
  expect(readFields(fields)).toEqual({ ok: true, params: { id: "8", amount: 8 } });
});

test("P22: an error of the API is shown at its field", () => {
  const [amount, odd, title] = fieldsOf({ amount: 1, "a/b": [1], fields: { TITLE: "x" } });
  if (!amount || !odd || !title) throw new Error("A field is missing");
  expect(pointerOf(odd)).toBe("/a~1b");
  expect(isAbout("/action/params/amount", amount)).toBe(true);
  expect(isAbout("/action/params/amounts", amount)).toBe(false);
  expect(isAbout("/action/params/a~1b/0", odd)).toBe(true);
  expect(isAbout("/action/params/fields/TITLE", title)).toBe(true);
  expect(isAbout("/action/params/fields", title)).toBe(false);
  expect(isAbout("/action/method", amount)).toBe(false);
});

test("P23: a result is JSON", () => {
  expect(parseJson('{"id": 7}')).toEqual({ id: 7 });
  expect(parseJson("null")).toBeNull();
  expect(parseJson("seven")).toBeUndefined();
});
