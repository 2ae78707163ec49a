import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { row, rowsOf } from "../../testing/timeline-rows.ts";
import { LanesBuilder } from "../lanes/lanes.ts";
import { stepAxis, timeAxis } from "./axis.ts";
import {
  FITTED,
  panBy,
  placeAt,
  project,
  stepAt,
  stepsInSight,
  type Viewport,
  xOf,
  xOfPlace,
  zoomAt,
} from "./projection.ts";
import { axisTicks } from "./ticks.ts";

const MINUTE = 60_000;

/** Sessions with pauses from zero to days, with steps without times and times that go backwards. */
const sessions = fc
  .array(
    fc.oneof(fc.constant(null), fc.integer({ min: -50, max: 20_000 }), fc.integer({ min: 0, max: 200 * MINUTE })),
    {
      minLength: 1,
      maxLength: 80,
    },
  )
  .map((pauses) => {
    let time = 1_700_000_000_000;
    return pauses.map((pause, i) => {
      time += pause ?? 0;
      return row(i + 1, "log", { time: pause === null && i > 0 ? null : time });
    });
  });

const viewports: fc.Arbitrary<Viewport> = fc.oneof(
  fc.constant(FITTED),
  fc.record({
    zoom: fc.double({ min: 1e-7, max: 50, noNaN: true }),
    from: fc.record({ units: fc.double({ min: 0, max: 1e7, noNaN: true }), folds: fc.constant(0) }),
  }),
);

const projections = fc
  .tuple(sessions, viewports, fc.integer({ min: 80, max: 2_000 }), fc.boolean())
  .map(([rows, viewport, width, isTime]) => {
    const axis = isTime ? timeAxis(rows, new LanesBuilder().add(rows)) : stepAxis(rows.length);
    if (!axis) throw new Error("every generated session tells a time");
    return project(axis, width, viewport);
  });

describe("C5: the time axis", () => {
  test("later steps are never further left", () => {
    fc.assert(
      fc.property(projections, (projection) => {
        for (let seq = 1; seq <= projection.axis.last; seq += 1)
          expect(xOf(projection, seq)).toBeGreaterThanOrEqual(xOf(projection, seq - 1));
      }),
    );
  });

  test("the step at a step's pixel is at the same pixel", () => {
    fc.assert(
      fc.property(projections, (projection) => {
        for (let seq = 0; seq <= projection.axis.last; seq += 1) {
          const x = xOf(projection, seq);
          expect(xOf(projection, stepAt(projection, x))).toBeCloseTo(x, 3);
        }
      }),
    );
  });

  test("the position at a pixel is at that pixel", () => {
    fc.assert(
      fc.property(projections, fc.double({ min: 0, max: 1, noNaN: true }), (projection, share) => {
        const x = share * projection.width;
        expect(xOfPlace(projection, placeAt(projection, x))).toBeCloseTo(x, 3);
      }),
    );
  });

  test("a fitted session is visible from first to last step", () => {
    fc.assert(
      fc.property(sessions, fc.integer({ min: 80, max: 2_000 }), (rows, width) => {
        const axis = timeAxis(rows, new LanesBuilder().add(rows)) ?? stepAxis(rows.length);
        expect(stepsInSight(project(axis, width, FITTED))).toEqual({ from: 1, to: rows.length });
      }),
    );
  });

  test("zooming keeps what is under the pointer, and scrolling is clamped to the session", () => {
    fc.assert(
      fc.property(
        projections,
        fc.double({ min: 0.2, max: 5, noNaN: true }),
        fc.integer({ min: -3_000, max: 3_000 }),
        (before, factor, pixels) => {
          const x = before.width / 2;
          const place = placeAt(before, x);
          const after = project(before.axis, before.width, zoomAt(before, factor, x));
          const atAnEdge = after.left <= 0.01 || after.left >= after.total - after.width - 0.01;
          if (!atAnEdge) expect(Math.abs(xOfPlace(after, place) - x)).toBeLessThan(0.01 + Math.abs(x) * 1e-6);
          const moved = project(after.axis, after.width, panBy(after, pixels));
          expect(moved.left).toBeGreaterThanOrEqual(0);
          expect(moved.left).toBeLessThanOrEqual(Math.max(moved.total - moved.width, 0) + 0.01);
        },
      ),
    );
  });

  test("labels are ordered and visible", () => {
    fc.assert(
      fc.property(projections, (projection) => {
        const ticks = axisTicks(projection, 64);
        for (const [i, tick] of ticks.entries()) {
          expect(tick.x).toBeGreaterThanOrEqual(0);
          expect(tick.x).toBeLessThanOrEqual(projection.width);
          expect(tick.x - (ticks[i - 1]?.x ?? -100)).toBeGreaterThanOrEqual(44);
        }
      }),
    );
  });
});

describe("C5: idle pauses are collapsed", () => {
  function foldsOf(types: string[], times: number[]) {
    const rows = rowsOf(types, times);
    return timeAxis(rows, new LanesBuilder().add(rows))?.folds.map(({ seq, ms }) => ({ seq, ms }));
  }

  test("a pause of hours is collapsed, with its length", () => {
    expect(foldsOf(["log", "log", "log"], [0, 2_000, 2_000 + 160 * MINUTE])).toEqual([{ seq: 3, ms: 160 * MINUTE }]);
  });

  test("a short pause is not", () => {
    expect(foldsOf(["log", "log", "log"], [0, 2_000, 9_000])).toEqual([]);
  });

  test("time in which the model works is not", () => {
    expect(foldsOf(["log", "model.requested", "model.responded", "log"], [0, 1_000, 46_000, 47_000])).toEqual([]);
  });

  test("a session without times has no time axis", () => {
    const rows = rowsOf(["log", "log"]);
    expect(timeAxis(rows, new LanesBuilder().add(rows))).toBeNull();
  });
});
