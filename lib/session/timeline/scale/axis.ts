import type { Lanes } from "../lanes/lanes.ts";
import type { TimelineRows } from "../timeline.ts";

/** Whether the axis is recorded time or the number of the step. */
export type AxisMode = "time" | "steps";

/**
 * The position of each step, independent of zoom and width. Arrays have one entry per step, index = seq - 1, or one for
 * each of `seqs`: steps between two of these are spread evenly.
 */
export interface Axis {
  mode: AxisMode;
  /** The session's last step. */
  last: number;
  /** The steps with known positions, from 1 to the last; null for all. */
  seqs: Uint32Array | null;
  /** ms since the first step without collapsed pauses; or steps. Never decreases. */
  units: Float64Array;
  /** The number of collapsed pauses before the step. */
  foldsBefore: Uint32Array;
  folds: readonly Fold[];
  /** Epoch ms as drawn; null if the axis is the number of the step. */
  times: Float64Array | null;
}

/** An idle pause that is collapsed to a fixed width. */
export interface Fold {
  /** The step after it. */
  seq: number;
  ms: number;
  /** Units before it. */
  units: number;
  /** The number of collapsed pauses before it, and how many it stands for. */
  before: number;
  count: number;
  /** Its position is known, and it is drawn. */
  isPlaced: boolean;
}

/** Simultaneous steps are drawn side by side, so that each can be selected. */
const APART_MS = 1;
/** Shorter pauses are always shown. */
const ALWAYS_SHOWN_MS = 8_000;
/** Longer pauses are always collapsed. In between, one is collapsed if it would take this share of the width. */
const ALWAYS_FOLDED_MS = 30_000;
const FOLDED_SHARE = 0.06;
/** While a model or a tool is working, a pause is only collapsed if it would hide everything else. */
const BUSY_FOLDED_MS = 600_000;

/** An axis with equal widths of steps. */
export function stepAxis(last: number): Axis {
  const seqs = Uint32Array.from(last > 1 ? [1, last] : [1].slice(0, last));
  const units = Float64Array.from(seqs, (seq) => seq - 1);
  return { mode: "steps", last, seqs, units, foldsBefore: new Uint32Array(seqs.length), folds: [], times: null };
}

/** The index of the last known position at or before a step, and the step's fraction to the next, 0 … 1. */
export function placeBefore({ seqs, last }: Axis, seq: number): { index: number; share: number } {
  const step = Math.min(seq, last);
  if (!seqs) return { index: step - 1, share: 0 };
  let low = 0;
  let high = seqs.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((seqs[middle] ?? 0) <= step) low = middle;
    else high = middle - 1;
  }
  const begin = seqs[low] ?? step;
  return { index: low, share: (step - begin) / ((seqs[low + 1] ?? begin + 1) - begin) };
}

/** The time of a step as drawn, epoch ms; null if the axis is the number of the step. */
export function timeAt(axis: Axis, seq: number): number | null {
  if (!axis.times || axis.last === 0) return null;
  const { index, share } = placeBefore(axis, Math.max(seq, 1));
  const time = at(axis.times, index);
  return share === 0 ? time : time + share * (at(axis.times, index + 1) - time);
}

/** An axis of recorded time with collapsed pauses; null if no step has a time. */
export function timeAxis(rows: TimelineRows, lanes: Lanes): Axis | null {
  const times = drawnTimes(rows);
  if (!times) return null;
  const folded = foldedPauses(times, busySteps(rows.length, lanes));
  const units = new Float64Array(rows.length);
  const foldsBefore = new Uint32Array(rows.length);
  const folds: Fold[] = [];
  for (let i = 1; i < rows.length; i += 1) {
    const pause = at(times, i) - at(times, i - 1);
    const isFolded = folded.has(i);
    units[i] = at(units, i - 1) + (isFolded ? 0 : pause);
    if (isFolded)
      folds.push({ seq: i + 1, ms: pause, units: at(units, i), before: folds.length, count: 1, isPlaced: true });
    foldsBefore[i] = folds.length;
  }
  return { mode: "time", last: rows.length, seqs: null, units, foldsBefore, folds, times };
}

/** A known position in a long session: see `Buckets` and `Clock`. */
export interface KnownPlace {
  seq: number;
  time: number;
  folds: number;
  folded: number;
}

/** An axis of recorded time from known positions in order; null if none has a time. */
export function axisOfPlaces(places: readonly KnownPlace[], last: number): Axis | null {
  const [first] = places;
  if (!first) return null;
  const axis = {
    seqs: new Uint32Array(places.length),
    units: new Float64Array(places.length),
    foldsBefore: new Uint32Array(places.length),
    times: new Float64Array(places.length),
  };
  const folds: Fold[] = [];
  for (const [i, { seq, time, folds: before, folded }] of places.entries()) {
    axis.seqs[i] = i === 0 ? 1 : seq;
    axis.times[i] = time;
    axis.units[i] = Math.max(time - first.time - folded, i === 0 ? 0 : at(axis.units, i - 1));
    axis.foldsBefore[i] = before;
    const known = places[i - 1];
    if (!known || before === known.folds) continue;
    const units = at(axis.units, i);
    const isPlaced = before === known.folds + 1 && seq === known.seq + 1;
    folds.push({ seq, ms: folded - known.folded, units, before: known.folds, count: before - known.folds, isPlaced });
  }
  return { mode: "time", last, ...axis, folds };
}

/** Epoch ms of each step as drawn: monotonic, steps without a time directly after the previous one. */
function drawnTimes(rows: TimelineRows): Float64Array | null {
  const first = rows.find(({ time }) => time !== null)?.time ?? null;
  if (first === null) return null;
  const times = new Float64Array(rows.length);
  let before = first - APART_MS;
  for (let i = 0; i < rows.length; i += 1) {
    before = Math.max(rows[i]?.time ?? 0, before + APART_MS);
    times[i] = before;
  }
  return times;
}

/** For each step, the number of calls and model requests in progress in the pause before it. */
function busySteps(count: number, { model, tools }: Lanes): Int32Array {
  const changes = new Int32Array(count + 2);
  for (const spans of [model, tools])
    for (const { from, to } of spans) {
      // Something that never ends would mark everything after it as busy.
      if (to === null) continue;
      changes[from] = (changes[from] ?? 0) + 1;
      changes[to] = (changes[to] ?? 0) - 1;
    }
  const busy = new Int32Array(count + 1);
  let open = 0;
  for (let seq = 1; seq <= count; seq += 1) {
    busy[seq] = open;
    open += changes[seq] ?? 0;
  }
  return busy;
}

/** The steps (as indexes) whose preceding pause is collapsed: the longest first, while they would fill the width. */
function foldedPauses(times: Float64Array, busy: Int32Array): Set<number> {
  const pauses: { index: number; ms: number }[] = [];
  for (let i = 1; i < times.length; i += 1) {
    const ms = at(times, i) - at(times, i - 1);
    if (ms > ((busy[i + 1] ?? 0) > 0 ? BUSY_FOLDED_MS : ALWAYS_SHOWN_MS)) pauses.push({ index: i, ms });
  }
  pauses.sort((a, b) => b.ms - a.ms);
  let shown = at(times, times.length - 1) - at(times, 0);
  const folded = new Set<number>();
  for (const { index, ms } of pauses) {
    if (ms <= Math.min(ALWAYS_FOLDED_MS, FOLDED_SHARE * shown)) break;
    folded.add(index);
    shown -= ms;
  }
  return folded;
}

/** Indexes are within bounds here; the fallback only satisfies the compiler. */
function at(values: Float64Array, index: number): number {
  return values[index] ?? 0;
}
