import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../../lib/session/json/json.ts";
import { phpArray, readForm } from "./php-array.ts";

test.each([
  ["fields[TITLE]=A%26B&id=5", { fields: { TITLE: "A&B" }, id: "5" }],
  ["select[]=ID&select[]=TITLE", { select: ["ID", "TITLE"] }],
  ["fields[PHONE][0][VALUE]=1&fields[PHONE][1][VALUE]=2", { fields: { PHONE: [{ VALUE: "1" }, { VALUE: "2" }] } }],
  ["a[5]=x&a[]=y", { a: { 5: "x", 6: "y" } }],
  ["a=1&a[b]=2", { a: { b: "2" } }],
  ["name=a+b", { name: "a b" }],
  ["__proto__[x]=1", JSON.parse('{"__proto__":{"x":"1"}}')],
  ["", {}],
])("a form %s is parsed as in PHP", (form, params) => {
  expect(readForm(form)).toEqual(params);
});

const key = fc
  .string({ minLength: 1 })
  .filter((name) => !/[[\]]/.test(name) && !/^\d+$/.test(name) && name !== "__proto__");
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.string(),
    fc.array(tie("value"), { minLength: 1, maxLength: 3 }),
    fc.dictionary(key, tie("value"), { minKeys: 1, maxKeys: 3 }),
  ),
}));

/** As PHP's http_build_query writes it. */
function write(value: Json, name: string): string[] {
  if (typeof value !== "object" || value === null) {
    return [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`];
  }
  return Object.entries(value).flatMap(([key, item]) => write(item, `${name}[${key}]`));
}

test("a form written by PHP is read back", () => {
  fc.assert(
    fc.property(fc.dictionary(key, value), (params) => {
      const form = Object.entries(params).flatMap(([name, item]) => write(item, name));
      expect(readForm(form.join("&"))).toEqual(params);
    }),
  );
});

test("brackets nested too deep are dropped", () => {
  expect(readForm(`a${"[b]".repeat(100_000)}=1&c=2`)).toEqual({ c: "2" });
});

test("a PHP array is a list only with the keys 0, 1, 2, …", () => {
  expect(phpArray([])).toEqual([]);
  expect(
    phpArray([
      ["0", "a"],
      ["1", "b"],
    ]),
  ).toEqual(["a", "b"]);
  expect(phpArray([["1", "b"]])).toEqual({ 1: "b" });
});
