import fc from "fast-check";
import { expect, test } from "vitest";
import { anyDocument, EXAMPLE, EXAMPLE_FILE } from "../testing/documents.ts";
import { parseFile } from "./parse-file.ts";
import { printFile } from "./print-file.ts";

/** A document after parsing and printing. */
function again(text: string): string {
  const parsed = parseFile(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return printFile(parsed.document);
}

/** The errors of a text, as `line:column path message`. */
function faultsOf(text: string): string[] {
  const parsed = parseFile(text);
  return parsed.ok
    ? []
    : parsed.faults.map(({ line, column, path, message }) => `${line}:${column} ${path} ${message}`);
}

test("M1: the example is parsed and printed byte for byte", () => {
  expect(again(EXAMPLE_FILE)).toBe(EXAMPLE_FILE);
  expect(printFile(EXAMPLE)).toBe(EXAMPLE_FILE);
});

test("M1: export, import and export give the same file", () => {
  fc.assert(
    fc.property(anyDocument, (document) => {
      const file = printFile(document);
      expect(again(file)).toBe(file);
      expect(parseFile(file)).toEqual({ ok: true, document });
    }),
  );
});

test("M1: a file with too many values has one error, where they become too many", () => {
  const many = `{"goals":[${"{},".repeat(100_000)}{}]}`;
  expect(faultsOf(many)).toEqual(["1:90005  the document has more than 30000 values; remove some"]);
  expect(faultsOf(`{"goals":[${"1,".repeat(20_000)}1]}`).length).toBeLessThan(100);
});

test("M1: structure has one key per line, free and empty values one line", () => {
  const file = printFile({
    ...EXAMPLE,
    goals: [],
    done: [{ by: ["anna", { a: 1 }], timestamp: "2024-05-01T10:00:00Z", description: "Ü\n", object_ids: {} }],
    mood: { today: ["good"] },
  });
  expect(file).toContain('{\n  "goals": [],\n  "done": [\n    {\n      "by": ["anna", {"a": 1}],\n');
  expect(file).toContain('"description": "Ü\\n",\n      "object_ids": {}\n    }\n  ],\n');
  expect(file.endsWith('  ],\n  "mood": {"today": ["good"]}\n}\n')).toBe(true);
});

test("M1: files with any formatting are accepted", () => {
  const compact = JSON.stringify(EXAMPLE);
  expect(again(` \t\r\n${compact} `)).toBe(EXAMPLE_FILE);
  expect(again(JSON.stringify(EXAMPLE, null, 7))).toBe(EXAMPLE_FILE);
});

test.each([
  ['{"goals": x}', "1:11  expected a value"],
  ['{\n  "goals": [],\n}', "3:1  expected a key in double quotes"],
  ['{"goals": [\n"a"', "2:4  unexpected end of the document: expected a comma or the closing ]"],
  ['{"goals" []}', "1:10  expected a colon between a key and its value"],
  ['{"goals": [1 2]}', "1:14  expected a comma or the closing ]"],
  ['{"goals": ["a\n"]}', "1:12  this string is not terminated, or contains a line break"],
  ['{"goals": ["\\ud800"]}', "1:12  this string contains half of a surrogate pair"],
  ['{"goals": [-1e999]}', "1:12  the number -1e999 exceeds 1.8e308"],
  ['{"goals": [],\n "goals": []}', '2:2  the key "goals" appears twice; remove one of them'],
  ["{} {}", "1:4  unexpected text after the end of the document; remove it"],
  ["", "1:1  unexpected end of the document: expected a value"],
  ["[".repeat(100_000), "1:66  the document is nested deeper than 64 levels"],
])("M1: a file that is no JSON is refused with the place and the remedy: %#", (text, fault) => {
  const [only, ...others] = faultsOf(text);
  expect(only?.startsWith(fault), only).toBe(true);
  expect(others).toEqual([]);
});

test("M1: an invalid file is refused with the place of each error", () => {
  const text = EXAMPLE_FILE.replace('"denied"', '"refused"').replace('"current_task_id": 789', '"current_task_id": []');
  expect(faultsOf(text)).toEqual([
    "20:24 /objects/current_task_id must be an id or null",
    '41:17 /confirmations/task_456_deadline/status must be one of "requested", "approved", "denied"',
  ]);
  expect(faultsOf(EXAMPLE_FILE.replace('"current_company_id": null,', ""))).toEqual([
    "16:14 /objects/current_company_id is required",
  ]);
});

test("M1: any JSON is parsed as by JSON.parse", () => {
  fc.assert(
    fc.property(fc.json(), (value) => {
      const free = JSON.stringify({ x: JSON.parse(value) });
      const file = EXAMPLE_FILE.replace("{", () => `{"free": ${free},`);
      const parsed = parseFile(file);
      expect(parsed.ok && JSON.stringify(parsed.document.free)).toBe(free);
    }),
  );
});
