import { describe, expect, test } from "vitest";
import { detailAt, initialViewport, wholeGraph, ZOOM } from "./viewport.ts";

const PANE = { width: 760, height: 620 };

describe("viewport", () => {
  const WAVES = [0, 240, 480, 720, 960].map((x) => ({ x, width: 150 }));
  const WIDE = { width: 1_110, height: 220, asText: false, columns: WAVES };
  const call = (wave: number) => ({ x: wave * 240, y: 60, width: 150, height: 80 });
  const edgesOf = ({ x, zoom }: { x: number; zoom: number }) =>
    WAVES.map((wave) => [x + wave.x * zoom, x + (wave.x + wave.width) * zoom] as const);

  test("C4: a plan that fits is centered, at 100 %", () => {
    const small = { width: 360, height: 220, asText: false, columns: WAVES.slice(0, 2) };
    expect(initialViewport(small, PANE)).toEqual({ x: 200, y: 200, zoom: 1 });
  });

  test("C4: a plan that does not fit is panned, never shrunk, and starts at its first wave", () => {
    const { x, y, zoom } = initialViewport({ ...WIDE, height: 3_000 }, PANE);
    expect(zoom).toBeGreaterThanOrEqual(1);
    expect([x, y]).toEqual([16, 16]);
  });

  test("C4: it opens at the call that matters, and cuts no wave in two", () => {
    for (const wave of [0, 1, 2, 3, 4]) {
      const view = initialViewport(WIDE, PANE, call(wave));
      const edges = edgesOf(view);
      const isShown = ([from, to]: readonly [number, number]) => from >= 0 && to <= PANE.width;
      expect(edges.filter(isShown)).toContain(edges[wave]);
      expect(edges.filter(([from, to]) => (from < 0 && to > 0) || (from < PANE.width && to > PANE.width))).toEqual([]);
    }
  });

  test("C4: in a tall plan the call that matters is in the middle", () => {
    const { y, zoom } = initialViewport({ ...WIDE, height: 3_000 }, PANE, { ...call(1), y: 1_500 });
    expect(y + 1_540 * zoom).toBeCloseTo(PANE.height / 2, 0);
  });

  test("C4: recorded calls start at the top left, like text", () => {
    expect(initialViewport({ width: 200, height: 100, asText: true, columns: [] }, PANE)).toEqual({
      x: 16,
      y: 16,
      zoom: 1,
    });
  });

  test("C4: fitting shows the whole plan, within the zoom limits", () => {
    expect(wholeGraph({ width: 1_456, height: 100 }, PANE).zoom).toBeCloseTo(0.5);
    expect(wholeGraph({ width: 90_000, height: 100 }, PANE).zoom).toBe(ZOOM.least);
  });

  test("C4: zooming out hides inputs first, then parameters, then names", () => {
    expect([1, 0.5, 0.35, 0.2].map(detailAt)).toEqual(["full", "cards", "names", "marks"]);
  });
});
