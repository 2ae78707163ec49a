import type { TimelineRows } from "./timeline.ts";
import type { Lanes } from "./timeline-lanes.ts";

/** What position means: recorded time, or the step's number. */
export type AxisMode = "time" | "steps";

/** Where each step lies, independent of zoom and width. Arrays have one entry a step, index = seq - 1. */
export interface Axis {
  mode: AxisMode;
  /** Shown ms since the first step, without what is folded; or steps. Never decreases. */
  units: Float64Array;
  /** How many folds lie before the step. */
  foldsBefore: Uint32Array;
  folds: readonly Fold[];
  /** Epoch ms as drawn; null when position is the step. */
  times: Float64Array | null;
}

/** An idle stretch that is folded into a strip of fixed width. */
export interface Fold {
  /** The step that ends it. */
  seq: number;
  ms: number;
  /** Shown units before it. */
  units: number;
}

/** Steps of the same moment are drawn one after another, so that each can be reached by dragging. */
const APART_MS = 1;
/** Pauses shorter than this are part of the rhythm and always shown. */
const ALWAYS_SHOWN_MS = 8_000;
/** Pauses longer than this are always folded. In between, one is folded that would take this share of the width. */
const ALWAYS_FOLDED_MS = 30_000;
const FOLDED_SHARE = 0.06;
/** While the model or a tool works, time is a fact to be seen; it is folded only when it would hide all else. */
const BUSY_FOLDED_MS = 600_000;

/** Every step has the same width. */
export function stepAxis(count: number): Axis {
  const units = new Float64Array(count);
  for (let i = 0; i < count; i += 1) units[i] = i;
  return {
    mode: "steps",
    units,
    foldsBefore: new Uint32Array(count),
    folds: [],
    times: null,
  };
}

/** Position is recorded time, with idle stretches folded; null when no step tells a time. */
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
    if (isFolded) folds.push({ seq: i + 1, ms: pause, units: at(units, i) });
    foldsBefore[i] = folds.length;
  }
  return { mode: "time", units, foldsBefore, folds, times };
}

/** Epoch ms of each step as drawn: never backwards, steps without a time right after the one before. */
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

/** For each step, how many calls and model answers were under way in the pause before it. */
function busySteps(count: number, { model, tools }: Lanes): Int32Array {
  const changes = new Int32Array(count + 2);
  for (const spans of [model, tools])
    for (const { from, to } of spans) {
      // What never ends would make everything after it busy.
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

/** The steps (as indexes) whose pause before them is folded: the longest first, while they would fill the picture. */
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

/** Typed arrays are read within their bounds here; the fallback only satisfies the compiler. */
function at(values: Float64Array, index: number): number {
  return values[index] ?? 0;
}
