import { rowAt, type TimelineRows } from "./timeline.ts";

/** The longest that replay at 1× stays on one step: pauses are known from the timeline, nobody waits through them. */
const LONGEST_MS = 1_200;
/** The time a step takes at 1× where the log tells none: four steps a second can be read. */
const UNTIMED_MS = 250;

/** Where replay has come to, and the recorded time that the present step has used up already. */
export interface Playback {
  at: number;
  spent: number;
}

/**
 * Plays on for `elapsed` ms of recorded time (the clock's, multiplied by the speed). Idle time is cut short; steps
 * without times come evenly. Stops at `last`.
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
