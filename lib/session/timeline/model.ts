import { type Lanes, LanesBuilder, type LaneTotals } from "./lanes/lanes.ts";
import {
  type LongTimeline,
  lanesOf,
  marksOfSegments,
  type Segment,
  segmentsOf,
  stretchesOf,
  timeOf,
} from "./long-timeline.ts";
import { type Axis, type AxisMode, stepAxis, timeAxis } from "./scale/axis.ts";
import { kindRanks, type Marks } from "./scale/bins.ts";
import { type Effects, effectsOf } from "./steps.ts";
import type { TimelineRows } from "./timeline.ts";

/** The timeline's data of a session. */
export interface TimelineModel {
  /** Of a long session the loaded ones. */
  rows: TimelineRows;
  last: number;
  lanes: Lanes;
  /** The marks of steps or buckets. */
  marks: Marks;
  /** Null if no step has a time. */
  time: Axis | null;
  steps: Axis;
  /** The default mode: by steps if times say next to nothing. */
  mode: AxisMode;
  effects: Effects;
  errors: number;
  /** The numbers of confirmations and alerts. */
  approvals: number;
  alerts: number;
  /** The number of turns. */
  turns: number;
  /** For a long session: all its segments, and the numbers of lanes. */
  long: { segments: readonly Segment[]; totals: (lane: string) => LaneTotals } | null;
}

/**
 * Creates models of a session's rows, incrementally: a live event in a session of 10,000 steps costs 1 ms instead of
 * 10. Returns the same model for the same rows.
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

/** From the loaded parts; some milliseconds at any length. */
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

/**
 * Events sent together without times all have the time of arrival: below this duration, ms, time is not worth drawing.
 */
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
