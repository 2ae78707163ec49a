import { expect, test } from "vitest";
import { readJson } from "./json-text.ts";

const flawOf = (text: string) => {
  const read = readJson(text, 64, "as_written");
  return read.ok ? null : read.flaw.message;
};

const names = (count: number) => `{${Array.from({ length: count }, (_, index) => `"n${index}":1`).join()}}`;

test.each([
  ["values", `[${"[],".repeat(300_000)}1]`, "this has more than 300000 values"],
  ["different names", names(70_000), "this has more than 30000 different names"],
  // The levels are counted before parsing.
  ["levels", "[".repeat(1_000_000), "this is nested deeper than 64 levels"],
  [
    "levels behind a number that is not kept",
    `[1e999,${"[".repeat(1_000_000)}`,
    "this is nested deeper than 64 levels",
  ],
  [
    "halves of surrogate pairs",
    '["\\ud83d"]',
    "a string in it contains half of a surrogate pair, which is not valid Unicode",
  ],
])("a text with too many %s is refused before it is parsed", (_, text, message) => {
  expect(flawOf(text)).toBe(message);
});

test("commas, brackets and keys in strings do not count, and equal keys are few", () => {
  expect(flawOf(`[${"1,".repeat(290_000)}"${",[".repeat(300_000)}\\","]`)).toBeNull();
  expect(flawOf(`[${Array.from({ length: 60_000 }, () => '{"a":1}').join()}]`)).toBeNull();
});
