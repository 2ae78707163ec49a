import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import { CallStream } from "./stream-calls.ts";

/** What a text gives when it comes in these pieces. */
function callsIn(pieces: readonly string[]): JsonObject[] {
  const stream = new CallStream();
  return pieces.flatMap((piece) => stream.feed(piece));
}

/** A text cut at any places, between halves of a surrogate pair too. */
function cut(text: string, places: readonly number[]): string[] {
  const sorted = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...sorted].map((from, index) => text.slice(from, sorted[index] ?? text.length));
}

const json: fc.Arbitrary<Json> = fc
  .jsonValue({ maxDepth: 4, stringUnit: "grapheme" })
  .map((value) => JSON.parse(JSON.stringify(value)));
const key = fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("calls", "output", "_tool", "a}b", 'q"', "\\"));
const call = fc.dictionary(key, json);
const places = fc.array(fc.nat(5_000), { maxLength: 60 });

describe("P20: calls are read while the plan streams in", () => {
  test("whatever the text is cut into, they are those of the whole", () => {
    const solution = fc.record({
      before: fc.dictionary(key, json, { maxKeys: 3 }),
      calls: fc.array(fc.oneof(call, json), { maxLength: 6 }),
      output: json,
    });
    fc.assert(
      fc.property(solution, places, fc.constantFrom(0, 2), ({ before, calls, output }, at, indent) => {
        const { calls: _, ...others } = before;
        const text = JSON.stringify({ ...others, calls, output }, null, indent);
        expect(callsIn(cut(text, at))).toEqual(JSON.parse(text).calls.filter(isJsonObject));
      }),
      { numRuns: 500 },
    );
  });

  test("each one comes with its closing brace, not later", () => {
    const stream = new CallStream();
    expect(stream.feed('{"calls":[{"_tool":"a","x":{"y":"}')).toEqual([]);
    expect(stream.feed('"}')).toEqual([]);
    expect(stream.feed("}")).toEqual([{ _tool: "a", x: { y: "}" } }]);
    expect(stream.feed(',{"_tool":"b"}')).toEqual([{ _tool: "b" }]);
    expect(stream.feed('],"output":null}')).toEqual([]);
  });

  test("a key may be written with escapes", () => {
    expect(callsIn(['{"c\\u0061l', 'ls": [{"_tool":"a"}]}'])).toEqual([{ _tool: "a" }]);
  });

  test.each([
    ["calls further inside", '{"output":{"calls":[{"_tool":"a"}]}}'],
    ["calls that are no list", '{"calls":{"0":{"_tool":"a"}}}'],
    ["a list at the top", '[{"calls":[{"_tool":"a"}]}]'],
    ["words before the object", 'Sure! {"calls":[{"_tool":"a"}]}'],
    ["a second object", '{} {"calls":[{"_tool":"a"}]}'],
    ["a list in the list", '{"calls":[[{"_tool":"a"}]]}'],
    ["brackets that do not match", '{"calls":[{"a":1]}]}'],
    ["a call nested too deeply", `{"calls":[${'{"a":'.repeat(40)}1${"}".repeat(40)}]}`],
  ])("%s: no call", (_what, text) => {
    expect(callsIn([...text])).toEqual([]);
  });

  test("a second list of the same name gives nothing more", () => {
    expect(callsIn(['{"calls":[{"_tool":"a"}],"calls":[{"_tool":"b"}]}'])).toEqual([{ _tool: "a" }]);
  });

  test("garbage never throws, and nothing comes after a call that is none", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...'{}[]",:\\ a1\ud83d†'), { maxLength: 80 }), places, (chars, at) => {
        callsIn(cut(`{"calls":[{"_tool":"a"},${chars.join("")}`, at));
      }),
      { numRuns: 500 },
    );
    expect(callsIn(['{"calls":[{"_tool":"a"},{oops},{"_tool":"b"}]}'])).toEqual([{ _tool: "a" }]);
  });

  test("nothing of a long stream is read twice: a megabyte in one-character pieces is done at once", () => {
    const text = JSON.stringify({ calls: [{ _tool: "a", text: "x".repeat(1_000_000) }] });
    expect(callsIn([...text])).toHaveLength(1);
  });
});
