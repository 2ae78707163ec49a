import { expect, test } from "vitest";
import { rowsOf } from "../../testing/timeline-rows.ts";
import { LanesBuilder } from "../lanes/lanes.ts";
import { timeAxis } from "./axis.ts";
import { FITTED, project, showBetween } from "./projection.ts";
import { axisTicks } from "./ticks.ts";

const SECOND = 1_000;
const START = Date.parse("2026-11-20T09:00:00.000Z");

/** A session with steps 5 s apart, so that nothing is collapsed. */
function axisOf(count: number) {
  const rows = rowsOf(
    Array.from({ length: count }, () => "log"),
    Array.from({ length: count }, (_, i) => START + i * 5 * SECOND),
  );
  const axis = timeAxis(rows, new LanesBuilder().add(rows));
  if (!axis) throw new Error("These rows have times");
  return axis;
}

test("C5: labels are unambiguous: far from the start, close ones are clock times", () => {
  const axis = axisOf(2_000);
  const whole = axisTicks(project(axis, 1_000, FITTED), 80);
  expect(whole.slice(1).map(({ kind }) => kind)).not.toContain("clock");
  const place = (seq: number) => ({ units: axis.units[seq - 1] ?? 0, folds: 0 });
  const near = project(axis, 1_000, showBetween(axis, 1_000, place(1_500), place(1_520)));
  const ticks = axisTicks(near, 80);
  expect(ticks.length).toBeGreaterThan(3);
  expect(ticks.every(({ kind }) => kind === "clock")).toBe(true);
  const seconds = ticks.map(({ value }) => Math.floor(value / SECOND));
  expect(new Set(seconds).size).toBe(ticks.length);
});
