import type { TimelineRows } from "./timeline.ts";
import { type Axis, type AxisMode, stepAxis, timeAxis } from "./timeline-axis.ts";
import { kindRanks, type Marks } from "./timeline-bins.ts";
import { type Lanes, LanesBuilder, type LaneTotals } from "./timeline-lanes.ts";
import {
  type LongTimeline,
  lanesOf,
  marksOfSegments,
  type Segment,
  segmentsOf,
  stretchesOf,
  timeOf,
} from "./timeline-long.ts";
import { type Effects, effectsOf } from "./timeline-steps.ts";

/** All that the timeline knows of a session. */
export interface TimelineModel {
  /** Of a long session those that are at hand. */
  rows: TimelineRows;
  last: number;
  lanes: Lanes;
  /** What stands at each step, or of many together. */
  marks: Marks;
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
  /** How many turns of the agent there are. */
  turns: number;
  /** Of a long session: what is known of all of its steps, and its lanes in numbers. */
  long: { segments: readonly Segment[]; totals: (lane: string) => LaneTotals } | null;
}

/**
 * Makes models of one session's rows. Rows that only grew are added to what is known (a live event in a session of
 * 10,000 steps costs 1 ms instead of 10); the same rows give the same model.
 */
export function modelMaker(): (rows: TimelineRows, long?: LongTimeline | null) => TimelineModel {
  let builder = new LanesBuilder();
  let model: TimelineModel | null = null;
  return (rows, long = null) => {
    if (model?.rows === rows && !long) return model;
    if (long) return longModel(rows, long);
    const known = model && isGrownFrom(rows, model.rows) ? model : null;
    if (!known) builder = new LanesBuilder();
    const added = known ? rows.slice(known.rows.length) : rows;
    const lanes = builder.add(added);
    const time = timeAxis(rows, lanes);
    const ranks = kindRanks(rows, known?.marks.ranks);
    model = {
      rows,
      last: rows.length,
      lanes,
      marks: { seqs: null, ranks, counts: null, telling: null },
      time,
      mode: time === null || lengthOf(rows) < MOMENT_MS ? "steps" : "time",
      steps: stepAxis(rows.length),
      effects: effectsOf(rows),
      errors: (known?.errors ?? 0) + added.filter(({ error }) => error).length,
      approvals: (known?.approvals ?? 0) + countOf(added, "confirmation.requested"),
      alerts: (known?.alerts ?? 0) + countOf(added, "manager.alerted"),
      turns: builder.topRuns,
      long: null,
    };
    return model;
  };
}

/** Of what is at hand; some milliseconds at any length. */
function longModel(rows: TimelineRows, long: LongTimeline): TimelineModel {
  const segments = segmentsOf(long);
  const stretches = stretchesOf(long);
  const newest = stretches.at(-1)?.builder ?? new LanesBuilder();
  const time = timeOf(segments, stretches, long.last);
  const times = time?.times;
  return {
    rows,
    last: long.last,
    lanes: lanesOf(segments, stretches, long.last),
    marks: marksOfSegments(segments),
    time,
    mode: !times || (times.at(-1) ?? 0) - (times[0] ?? 0) < MOMENT_MS ? "steps" : "time",
    steps: stepAxis(long.last),
    effects: effectsOf(rows),
    errors: long.errors,
    approvals: newest.totals("asked").count,
    alerts: newest.totals("alerts").count,
    turns: newest.topRuns,
    long: { segments, totals: (lane) => newest.totals(lane) },
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
