import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { changeOf, verdictOf, wilson } from "./verdict.ts";

const rounded = ({ share, from, to }: ReturnType<typeof wilson>) =>
  [share, from, to].map((one) => Math.round(one * 1000) / 1000);

describe("Wilson's interval", () => {
  it.each([
    // R: prop.test(x, n, correct = FALSE)$conf.int
    { passed: 3, tries: 3, expected: [1, 0.439, 1] },
    { passed: 0, tries: 3, expected: [0, 0, 0.561] },
    { passed: 41, tries: 48, expected: [0.854, 0.728, 0.928] },
    { passed: 0, tries: 0, expected: [0, 0, 1] },
  ])("of $passed of $tries", ({ passed, tries, expected }) => expect(rounded(wilson(passed, tries))).toEqual(expected));

  test("has the share in it, and is narrower with more tries of the same share", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.nat(200), (tries, some) => {
        const passed = Math.min(some, tries);
        const [one, ten] = [wilson(passed, tries), wilson(passed * 10, tries * 10)];
        expect(one.from).toBeLessThanOrEqual(one.share + 1e-9);
        expect(one.to).toBeGreaterThanOrEqual(one.share - 1e-9);
        expect(ten.to - ten.from).toBeLessThan(one.to - one.from);
      }),
    );
  });
});

describe("the change between two versions", () => {
  it("is none without a change, within an interval around it", () => {
    const same = wilson(46, 48);
    const change = changeOf(same, same);
    expect(change.share).toBe(0);
    expect(change.from).toBeLessThan(0);
    expect(change.to).toBeGreaterThan(0);
  });

  it("is worse beyond doubt where most cases fail now", () =>
    expect(changeOf(wilson(46, 48), wilson(20, 48)).to).toBeLessThan(0));
});

it("tells passed, failed and flaky apart", () => {
  expect([verdictOf(3, 3), verdictOf(0, 3), verdictOf(2, 3), verdictOf(0, 0)]).toEqual([
    "passed",
    "failed",
    "flaky",
    "failed",
  ]);
});
