import { type Axis, stepAxis, timeAxis } from "./timeline-axis.ts";
import { kindRanks } from "./timeline-bins.ts";
import { type Lanes, LanesBuilder } from "./timeline-lanes.ts";
import { type Effects, effectsOf, isError } from "./timeline-steps.ts";
import type { TimelineRows } from "./timeline.ts";

/** All that the timeline knows of a session's rows. */
export interface TimelineModel {
  rows: TimelineRows;
  lanes: Lanes;
  /** The rank of each step's kind within `KINDS`. */
  ranks: Uint8Array;
  /** Null when no step tells a time. */
  time: Axis | null;
  steps: Axis;
  effects: Effects;
  errors: number;
}

/**
 * Makes models of one session's rows. Rows that only grew are added to the lanes of before; the same rows give the
 * same model.
 */
export function modelMaker(): (rows: TimelineRows) => TimelineModel {
  let builder = new LanesBuilder();
  let model: TimelineModel | null = null;
  return (rows) => {
    if (model?.rows === rows) return model;
    const known = model?.rows.length ?? 0;
    const hasGrown = model !== null && known <= rows.length && model.rows[known - 1] === rows[known - 1];
    if (!hasGrown) builder = new LanesBuilder();
    const lanes = builder.add(hasGrown ? rows.slice(known) : rows);
    model = {
      rows,
      lanes,
      ranks: kindRanks(rows),
      time: timeAxis(rows, lanes),
      steps: stepAxis(rows.length),
      effects: effectsOf(rows),
      errors: rows.reduce((count, row) => count + (isError(row) ? 1 : 0), 0),
    };
    return model;
  };
}
