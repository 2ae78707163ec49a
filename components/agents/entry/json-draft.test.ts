import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readJsonDraft } from "./json-draft.ts";

const flawOf = (text: string) => {
  const read = readJsonDraft(text);
  return read.ok ? null : [read.flaw.kind, read.flaw.line, read.flaw.column];
};

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("C8: parsing JSON while it is edited", () => {
  it("returns the value when the text is valid JSON", () => {
    expect(readJsonDraft(' {"a": [1, -2.5e3, "\\u00e9", null]}\n')).toEqual({
      ok: true,
      value: { a: [1, -2500, "é", null] },
    });
  });

  it.each([
    ["", "value", 1, 1],
    ['{"a": }', "value", 1, 7],
    ['{"a": 1,}', "key", 1, 9],
    ['{"a": 1,\n  b: 2}', "key", 2, 3],
    ['{"a" 1}', "colon", 1, 6],
    ['{"a": 1\n "b": 2}', "comma", 1, 8],
    ["[1, 2", "comma", 1, 6],
    ['{\n  "a": tru\n}', "value", 2, 8],
    ["[01]", "value", 1, 2],
    ['["abc]', "text", 1, 7],
    ['["a\\x"]', "escape", 1, 4],
    ["{} {}", "rest", 1, 4],
    ["[".repeat(70), "depth", 1, 66],
    ['{"a":\n 9007199254740993}', "number", 2, 2],
    ["[1, -0]", "number", 1, 5],
  ])("reports where %j is not valid JSON", (text, kind, line, column) => {
    expect(flawOf(text)).toEqual([kind, line, column]);
  });

  it("agrees with JSON.parse about any text that is almost JSON", () => {
    const nearly = fc
      .tuple(
        fc.json({ maxDepth: 4 }),
        fc.nat(),
        fc.nat({ max: 3 }),
        fc.constantFrom("", ",", '"', "}", "]", "1", "\\", "\n"),
      )
      .map(
        ([text, at, cut, put]) =>
          text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + cut),
      );
    fc.assert(
      fc.property(nearly, (text) => flawOf(text)?.[0] === "number" || readJsonDraft(text).ok === parses(text)),
      { numRuns: 2_000 },
    );
  });
});
