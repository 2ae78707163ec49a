import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findLostNumber, isKept, parseAsWritten, pointerAt } from "./json-number.ts";
import { readJson } from "./json-text.ts";

const digits = (min: number, max: number) => fc.stringMatching(new RegExp(`^[0-9]{${min},${max}}$`));
const whole = fc.oneof(
  fc.constant("0"),
  fc.tuple(fc.constantFrom(..."123456789"), digits(0, 25)).map(([first, rest]) => first + rest),
);
const exponents = fc
  .tuple(fc.constantFrom("e", "E"), fc.constantFrom("", "+", "-"), digits(1, 3))
  .map((parts) => parts.join(""));
/** JSON numbers, many of which are exact doubles. */
const written = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("", "-"),
      whole,
      fc.option(digits(1, 22), { nil: null }).map((part) => (part === null ? "" : `.${part}`)),
      fc.option(exponents, { nil: "" }),
    )
    .map((parts) => parts.join("")),
  fc.double({ noDefaultInfinity: true, noNaN: true }).map((number) => JSON.stringify(number)),
  fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }).map(String),
);

/** A decimal number as a fraction of integers, computed independently. */
function fractionOf(text: string): [bigint, bigint] {
  const [, sign = "", before = "", after = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const power = BigInt(exponent) - BigInt(after.length);
  const number = BigInt(`${sign}${before}${after}`);
  return power < 0n ? [number, 10n ** -power] : [number * 10n ** power, 1n];
}

function isSameDecimal(one: string, other: string): boolean {
  const [a, b] = [fractionOf(one), fractionOf(other)];
  return a[0] * b[1] === b[0] * a[1] && one.startsWith("-") === other.startsWith("-");
}

describe("numbers in JSON", () => {
  it("are the same decimal after parsing, or refused, or kept as text", () => {
    fc.assert(
      fc.property(written, fc.constantFrom("", " ", "\n"), (number, space) => {
        const text = `{"a":[1,${space}${number}${space}],"-0":"-0 ${number}"}`;
        const read = readJson(text, 9, "refused");
        const isSame = Number.isFinite(Number(number)) && isSameDecimal(number, JSON.stringify(Number(number)));
        expect(read.ok).toBe(isSame);
        const kept = parseAsWritten<{ a: unknown[] }>(text);
        expect(kept).toEqual({ a: [1, isSame ? Number(number) : number], "-0": `-0 ${number}` });
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    "0",
    "0.0",
    "0e99",
    "1.0",
    "1e3",
    "1E+30",
    "0.1",
    "-0.5",
    "100000000000000000000",
    "5e-324",
    "0.30000000000000004",
  ])("keeps %s", (number) => expect(isKept(number)).toBe(true));

  it.each([
    ...["9007199254740993", "1".repeat(30), "1e-400", "-1e-400", "-0", "-0.0", "-0e5", "1e309", "-1e999"],
    ...["0.1000000000000000055511151231257827", "123456789.12345678912", "2.00000000000000000001"],
  ])("does not keep %s", (number) => expect(isKept(number)).toBe(false));

  it("have the right place", () => {
    const read = readJson('{"a/b":\n[{"x":"]"},\n{"y":{"z":9007199254740993}}]}', 9, "refused");
    expect(read).toMatchObject({ ok: false, flaw: { syntax: false, line: 3 } });
    expect(!read.ok && read.flaw.message).toBe(
      "the number 9007199254740993 at /a~1b/1/y/z would be stored as 9007199254740992; send it as a string",
    );
    expect(pointerAt("1e400", 0)).toBe("");
  });

  it("in strings and invalid JSON are ignored", () => {
    expect(findLostNumber('{"id":"at -0, 9007199254740993 \\" 1e999, -0","n":1}')).toBeNull();
    expect(findLostNumber('["\\\\",-0]')).toEqual({ written: "-0", offset: 6 });
    for (const text of ["[1-2e400]", "9007199254740993x", '["', "-", "01234567890123456789"])
      expect(() => parseAsWritten(text)).toThrow(SyntaxError);
  });

  it("are checked in linear time", () => {
    const parts = [
      "9",
      "1e",
      "-0 ",
      "0.",
      "0",
      "\\",
      '"\\\\',
      '"',
      "9007199254740993,",
      "1111111111111111,",
      "[",
      "- ",
    ];
    for (const part of parts) {
      const timeOf = (length: number) => {
        const text = part.repeat(length / part.length);
        const times = Array.from({ length: 3 }, () => {
          const began = process.threadCpuUsage();
          findLostNumber(text);
          isKept(text.replaceAll(/\D/g, "1"));
          const { user, system } = process.threadCpuUsage(began);
          return user + system;
        });
        return Math.min(...times);
      };
      timeOf(20_000);
      expect(timeOf(400_000)).toBeLessThan(80 * Math.max(timeOf(20_000), 2_000));
    }
  });
});
