import { rowAt, type TimelineRows } from "./timeline.ts";

/** The maximum time of a step in playback at 1×: longer pauses are shortened. */
const LONGEST_MS = 1_200;
/** The time of a step without recorded times at 1×: four per second are readable. */
const UNTIMED_MS = 250;

/** The position of playback, and the recorded time already spent on the current step. */
export interface Playback {
  at: number;
  spent: number;
}

/**
 * Advances by `elapsed` ms of recorded time (the clock's, times the speed). Pauses are shortened; steps without times
 * are evenly spaced. Stops at `last`, the end of the session or of the played range.
 */
export function playOn(rows: TimelineRows, from: Playback, elapsed: number, last: number): Playback {
  let at = from.at;
  let budget = from.spent + elapsed;
  while (at < last) {
    const wait = waitAfter(rows, at);
    if (budget < wait) return { at, spent: budget };
    budget -= wait;
    at += 1;
  }
  return { at, spent: 0 };
}

function waitAfter(rows: TimelineRows, at: number): number {
  const now = rowAt(rows, at)?.time ?? null;
  const next = rowAt(rows, at + 1)?.time ?? null;
  if (at === 0) return 0;
  return now === null || next === null ? UNTIMED_MS : Math.min(Math.max(next - now, 0), LONGEST_MS);
}
