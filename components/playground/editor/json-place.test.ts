import { describe, expect, test } from "vitest";
import { entriesOf, readJson } from "@/lib/plan/edit/json-text.ts";
import { firstFault, pointerRange, stringAt } from "./json-place.ts";

const PLAN = `[
  { "_tool": "a", "_id": "one", "items": [{ "id": 1 }, { "id": "†state.x" }] },
  { "_tool": "b", "a/b": { "~": true } }
]`;

function at(index: number, pointer: string, wanted: "value" | "name" = "value"): string {
  const json = readJson(PLAN);
  const call = entriesOf(json)[index];
  if (!call) throw new Error(`The plan has no call ${index}`);
  const { from, to } = pointerRange(json, call, pointer, wanted);
  return PLAN.slice(from, to);
}

describe("C9: a JSON Pointer is resolved to a range of the text", () => {
  test("in objects and lists", () => {
    expect(at(0, "/items/1/id")).toBe('"†state.x"');
    expect(at(1, "/_tool")).toBe('"b"');
  });

  test("with escaped characters", () => {
    expect(at(1, "/a~1b/~0")).toBe("true");
  });

  test("of a property's name, if that is what is wrong", () => {
    expect(at(0, "/_id", "name")).toBe('"_id"');
  });

  test("of the deepest existing parent, if the text has no such value", () => {
    expect(at(0, "/items/0/name/first")).toBe('{ "id": 1 }');
    expect(at(0, "/_outputPath")).toMatch(/^\{ "_tool": "a"/);
  });
});

describe("C9: a position in the text is resolved to its path", () => {
  test("in a value, in a name, and in an incomplete text", () => {
    expect(stringAt(readJson(PLAN), PLAN.indexOf("†state.x") + 3)).toMatchObject({
      path: [0, "items", 1, "id"],
      isName: false,
    });
    expect(stringAt(readJson(PLAN), PLAN.indexOf("_tool") + 2)).toMatchObject({ path: [0, "_tool"], isName: true });
    const half = '[{ "_tool": "cr"';
    expect(stringAt(readJson(half), half.length - 1)).toMatchObject({ path: [0, "_tool"] });
  });

  test("but not outside of strings", () => {
    expect(stringAt(readJson(PLAN), 0)).toBeNull();
    expect(stringAt(readJson(PLAN), PLAN.indexOf('"one"'))).toBeNull();
  });
});

test("C9: the first position of invalid JSON is reported", () => {
  expect(firstFault(readJson(PLAN))).toBeNull();
  const text = '[{ "_tool": "a" "_id": "b" }]';
  expect(firstFault(readJson(text))?.from).toBeGreaterThanOrEqual(text.indexOf('"a"') + 3);
});
