import type { Activity } from "../session.ts";

/** The number of bars that fit into the list's 176 px at 4 px each, with a margin. */
const BARS = 40;
const FIRST_WIDTH_MS = 1_000;

export function emptyActivity(): Activity {
  return { start: null, width: 1, counts: [], marks: "" };
}

/** Adds an event in place. When all bars are used, neighbours are merged and each bar covers twice the time. */
export function addActivity(next: Activity, step: number, time: number | null, mark: string): void {
  if (next.counts.length === 0) {
    next.start = time;
    if (time !== null) next.width = FIRST_WIDTH_MS;
  }
  // An event before the first one, or without a time, counts in the newest bar.
  const newest = Math.max(0, next.counts.length - 1);
  let bar = newest;
  if (next.start === null) bar = barAt(next, step - 1);
  else if (time !== null) bar = Math.max(0, barAt(next, time - next.start));
  while (next.counts.length <= bar) {
    next.counts.push(0);
    next.marks += ".";
  }
  next.counts[bar] = (next.counts[bar] ?? 0) + 1;
  const before = next.marks[bar] ?? ".";
  const after = stronger(before, mark);
  if (after !== before) next.marks = next.marks.slice(0, bar) + after + next.marks.slice(bar + 1);
}

/** The bar for an offset, after merging as often as needed. */
function barAt(activity: Activity, offset: number): number {
  while (offset / activity.width >= BARS) join(activity);
  return Math.floor(offset / activity.width);
}

function join(activity: Activity): void {
  const counts: number[] = [];
  let marks = "";
  for (let i = 0; i < activity.counts.length; i += 2) {
    counts.push((activity.counts[i] ?? 0) + (activity.counts[i + 1] ?? 0));
    marks += stronger(activity.marks[i] ?? ".", activity.marks[i + 1] ?? ".");
  }
  activity.counts = counts;
  activity.marks = marks;
  activity.width *= 2;
}

const STRENGTH = ".wem";

function stronger(a: string, b: string): string {
  return STRENGTH.indexOf(a) >= STRENGTH.indexOf(b) ? a : b;
}
