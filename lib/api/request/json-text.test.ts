import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Problem } from "../problem.ts";
import { parseJson } from "./json-text.ts";

function codeOf(text: string): string | null {
  try {
    parseJson(text, "");
    return null;
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

describe("E11: untrusted JSON", () => {
  it("parses any valid JSON as JSON.parse does", () => {
    const values = fc.jsonValue({ stringUnit: "binary", maxDepth: 3 });
    fc.assert(
      fc.property(values, fc.constantFrom(0, 2), (value, indent) => {
        // JSON.stringify writes -0 as 0.
        const text = JSON.stringify(value, null, indent);
        expect(parseJson(text, "")).toEqual(JSON.parse(text));
      }),
    );
  });

  it("refuses too many values, and ignores commas in strings", () => {
    expect(codeOf(`[${"1,".repeat(300_000)}1]`)).toBe("too_many");
    expect(codeOf(`{"a":[${"[],".repeat(300_000)}1]}`)).toBe("too_many");
    expect(codeOf(`[${"1,".repeat(200_000)}"${",".repeat(300_000)}"]`)).toBeNull();
  });

  it("refuses too many different keys, and accepts as many equal ones", () => {
    const named = (count: number, name: (n: number) => string) =>
      `[${Array.from({ length: count }, (_, n) => `{"${name(n)}":1}`).join(",")}]`;
    expect(codeOf(named(100_000, (n) => `f${n}`))).toBe("too_many");
    expect(codeOf(`{${Array.from({ length: 100_000 }, (_, n) => `"f${n}":"f"`).join(",")}}`)).toBe("too_many");
    expect(codeOf(named(30_000, (n) => `f${n}`))).toBeNull();
    expect(codeOf(named(100_000, (n) => `f${n % 20_000}`))).toBeNull();
  });

  it("reports invalid JSON, whatever numbers it has", () => {
    for (const text of ["{a:-0}", "{:-0}", "[1e999", '{"a":-0', "{a:9007199254740993}", ":-0", ",,-0"])
      expect([text, codeOf(text)]).toEqual([text, "malformed_json"]);
    expect(codeOf('{"a":-0}')).toBe("invalid_input");
  });

  it("finds a lone surrogate wherever its escape is, and no other", () => {
    const units = fc.array(
      fc.oneof(fc.constantFrom(0xd83d, 0xde00, 0x5c, 0x22, 0x75, 0x61), fc.integer({ min: 0, max: 0xffff })),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(units, units, (first, second) => {
        const texts = [first, second].map((codes) => String.fromCharCode(...codes));
        const escaped = texts.map((text) =>
          [...Array(text.length).keys()]
            .map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`)
            .join(""),
        );
        const whole = texts.every((text) => text.isWellFormed());
        expect(codeOf(`{"${escaped[0]}":["${escaped[1]}"]}`)).toBe(whole ? null : "bad_encoding");
      }),
    );
  });

  it("is not misled by similar escapes", () => {
    expect(parseJson(String.raw`["\\ud800","\"[[","\\\\\"","\\"]`, "")).toEqual(["\\ud800", '"[[', '\\\\"', "\\"]);
  });

  it("counts nesting outside of strings only, to 64", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(codeOf(nested(64))).toBeNull();
    expect(codeOf(nested(65))).toBe("too_deep");
    expect(codeOf(`["${"[".repeat(100)}"]`)).toBeNull();
    expect(codeOf(`[${Array(100).fill("[]").join()}]`)).toBeNull();
    expect(codeOf("[".repeat(1_000_000))).toBe("too_deep");
  });

  it("refuses a number that JSON.parse would change, outside of strings", () => {
    for (const number of [
      "1e309",
      "-1E+400",
      "9".repeat(309),
      "2e308",
      "9007199254740993",
      "1e-400",
      "-0",
      "0.10000000000000001",
    ]) {
      expect(codeOf(`{"a":[0,${number}]}`)).toBe("invalid_input");
      expect(codeOf(`{"a":["${number}"]}`)).toBeNull();
    }
    expect(codeOf("[1.7976931348623157e308,-1e308,5e-324,0.1,1.0]")).toBeNull();
    expect(codeOf("[1-2e400]")).toBe("malformed_json");
  });

  it("refuses a duplicate key in an object, however it is written, and no other", () => {
    for (const text of [
      '{"a":1,"a":2}',
      '[{"b":[{"a":1,"c":{},"a":1}]}]',
      String.raw`{"a":1,"\u0061":2}`,
      '{"__proto__":1,"__proto__":2}',
      '{"":1,"":2}',
    ])
      expect([text, codeOf(text)]).toEqual([text, "invalid_input"]);
    for (const text of [
      '{"a":{"a":1},"b":{"a":1}}',
      '[{"a":1},{"a":1}]',
      String.raw`{"a":"\"a\":","b":":{\\"}`,
      '{"__proto__":1}',
    ])
      expect([text, codeOf(text)]).toEqual([text, null]);
    expect(parseJson('{"a":1,"a":2}', "", 64, "as_written")).toEqual({ a: 2 });
    expect(() => parseJson('{"payload":{"a/b":[{"sum":1, "sum": 2}]}}', "/7")).toThrow(
      'The name "sum" at /7/payload/a~1b/0/sum appears twice in its object; send it once.',
    );
  });

  it("reports the place of an error", () => {
    expect(() => parseJson("{", "/7")).toThrow(/^Line \/7 is not valid JSON: /);
    expect(() => parseJson("{", "")).toThrow(/^The body is not valid JSON: /);
    expect(() => parseJson('{"payload":{"sum":[0,-0]}}', "/7")).toThrow(
      "The number -0 at /7/payload/sum/1 would be stored as 0; send it as a string.",
    );
  });
});
