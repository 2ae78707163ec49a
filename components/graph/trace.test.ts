import { describe, expect, test } from "vitest";
import { shorten, tracePath } from "./trace.ts";

describe("edges are traces of right angles", () => {
  test("C4: corners are rounded by 9 px, and by less where a side is short", () => {
    expect(
      tracePath([
        { x: 0, y: 0 },
        { x: 40, y: 0 },
        { x: 40, y: 50 },
      ]),
    ).toBe("M0,0L31,0Q40,0 40,9L40,50");
    expect(
      tracePath([
        { x: 0, y: 0 },
        { x: 40, y: 0 },
        { x: 40, y: 4 },
        { x: 80, y: 4 },
      ]),
    ).toBe("M0,0L38,0Q40,0 40,2L40,2Q40,4 42,4L80,4");
  });

  test("C4: a straight way has no corners", () => {
    expect(
      tracePath([
        { x: 0, y: 5 },
        { x: 10, y: 5 },
        { x: 30, y: 5 },
      ]),
    ).toBe("M0,5L30,5");
    expect(tracePath([])).toBe("");
  });

  test("C4: a way can end earlier, for a tip or a bar", () => {
    expect(
      shorten(
        [
          { x: 0, y: 0 },
          { x: 20, y: 0 },
        ],
        8,
      ),
    ).toEqual([
      { x: 0, y: 0 },
      { x: 12, y: 0 },
    ]);
    expect(
      shorten(
        [
          { x: 0, y: 0 },
          { x: 4, y: 0 },
        ],
        8,
      ),
    ).toEqual([
      { x: 0, y: 0 },
      { x: 0, y: 0 },
    ]);
  });
});
