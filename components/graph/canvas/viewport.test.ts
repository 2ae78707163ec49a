import { describe, expect, test } from "vitest";
import { detailAt, initialViewport, wholeGraph, ZOOM } from "./viewport.ts";

const PANE = { width: 760, height: 620 };

describe("viewport", () => {
  test("C4: a plan that fits is centered, at 100 % at most", () => {
    expect(initialViewport({ width: 360, height: 220, asText: false }, PANE)).toEqual({ x: 200, y: 200, zoom: 1 });
  });

  test("C4: the initial zoom is at least 85 %; a larger plan starts at its top left", () => {
    expect(initialViewport({ width: 5_000, height: 3_000, asText: false }, PANE)).toEqual({ x: 16, y: 16, zoom: 0.85 });
  });

  test("C4: a plan that is slightly too wide is zoomed out to show all waves", () => {
    const { x, zoom } = initialViewport({ width: 910, height: 3_000, asText: false }, PANE);
    expect([x, zoom]).toEqual([16, 0.8]);
    expect(x + 910 * zoom).toBeLessThanOrEqual(PANE.width);
  });

  test("C4: recorded calls start at the top left, like text", () => {
    expect(initialViewport({ width: 200, height: 100, asText: true }, PANE)).toEqual({ x: 16, y: 16, zoom: 1 });
  });

  test("C4: fitting shows the whole plan, within the zoom limits", () => {
    expect(wholeGraph({ width: 1_456, height: 100 }, PANE).zoom).toBeCloseTo(0.5);
    expect(wholeGraph({ width: 90_000, height: 100 }, PANE).zoom).toBe(ZOOM.least);
  });

  test("C4: zooming out hides inputs first, then parameters, then names", () => {
    expect([1, 0.5, 0.35, 0.2].map(detailAt)).toEqual(["full", "cards", "names", "marks"]);
  });
});
