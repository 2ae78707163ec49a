import type { TimelineRows } from "./timeline.ts";
import { type Axis, type AxisMode, stepAxis, timeAxis } from "./timeline-axis.ts";
import { kindRanks } from "./timeline-bins.ts";
import { type Lanes, LanesBuilder } from "./timeline-lanes.ts";
import { type Effects, effectsOf } from "./timeline-steps.ts";

/** All that the timeline knows of a session's rows. */
export interface TimelineModel {
  rows: TimelineRows;
  lanes: Lanes;
  /** The rank of each step's kind within `KINDS`. */
  ranks: Uint8Array;
  /** Null when no step tells a time. */
  time: Axis | null;
  steps: Axis;
  /** How it is shown unless the reader chose: by steps where time says next to nothing. */
  mode: AxisMode;
  effects: Effects;
  errors: number;
  /** How often a person was asked, and a manager called. */
  approvals: number;
  alerts: number;
}

/**
 * Makes models of one session's rows. Rows that only grew are added to what is known (a live event in a session of
 * 100,000 steps costs 10 ms instead of 100); the same rows give the same model.
 */
export function modelMaker(): (rows: TimelineRows) => TimelineModel {
  let builder = new LanesBuilder();
  let model: TimelineModel | null = null;
  return (rows) => {
    if (model?.rows === rows) return model;
    const known = model && isGrownFrom(rows, model.rows) ? model : null;
    if (!known) builder = new LanesBuilder();
    const added = known ? rows.slice(known.rows.length) : rows;
    const lanes = builder.add(added);
    const time = timeAxis(rows, lanes);
    model = {
      rows,
      lanes,
      ranks: kindRanks(rows, known?.ranks),
      time,
      mode: time === null || lengthOf(rows) < MOMENT_MS ? "steps" : "time",
      steps: stepAxis(rows.length),
      effects: effectsOf(rows),
      errors: (known?.errors ?? 0) + added.filter(({ error }) => error).length,
      approvals: (known?.approvals ?? 0) + countOf(added, "confirmation.requested"),
      alerts: (known?.alerts ?? 0) + countOf(added, "manager.alerted"),
    };
    return model;
  };
}

/** Events sent together without times all happened when they arrived: below this, ms, time is not worth drawing. */
const MOMENT_MS = 50;

function countOf(rows: TimelineRows, wanted: string): number {
  return rows.filter(({ type }) => type === wanted).length;
}

function lengthOf(rows: TimelineRows): number {
  const first = rows.find(({ time }) => time !== null)?.time ?? 0;
  const last = rows.findLast(({ time }) => time !== null)?.time ?? 0;
  return last - first;
}

function isGrownFrom(rows: TimelineRows, before: TimelineRows): boolean {
  return before.length > 0 && before.length <= rows.length && before.every((row, i) => row === rows[i]);
}
