import { describe, expect, test } from "vitest";
import { passes, shorten, tracePath } from "./trace.ts";

describe("orthogonal edges", () => {
  test("C4: corners are rounded by 9 px, and less on short segments", () => {
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

  test("C4: a straight route has no corners", () => {
    expect(
      tracePath([
        { x: 0, y: 5 },
        { x: 10, y: 5 },
        { x: 30, y: 5 },
      ]),
    ).toBe("M0,5L30,5");
    expect(tracePath([])).toBe("");
  });

  test("C4: a route can be shortened for an arrowhead or a bar", () => {
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

  test("C4: an edge of a large plan is rendered when its route crosses the viewport, not when only its bounds do", () => {
    const round = [
      { x: 0, y: 0 },
      { x: 500, y: 0 },
      { x: 500, y: 900 },
      { x: 600, y: 900 },
    ];
    expect(passes(round, { left: 100, top: 100, right: 400, bottom: 800 })).toBe(false);
    expect(passes(round, { left: 100, top: -10, right: 400, bottom: 800 })).toBe(true);
    expect(passes(round, { left: 450, top: 300, right: 550, bottom: 400 })).toBe(true);
    expect(passes(round, { left: 590, top: 850, right: 700, bottom: 950 })).toBe(true);
    expect(passes(round, { left: 700, top: 0, right: 800, bottom: 900 })).toBe(false);
  });
});
