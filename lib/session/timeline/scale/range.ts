import type { EventKind } from "../../events/kinds.ts";
import { countBetween, type Segment } from "../long-timeline.ts";
import type { TimelineModel } from "../model.ts";
import { timeAt } from "./axis.ts";
import { KINDS } from "./bins.ts";

/** A range of steps, inclusive. */
export interface StepRange {
  from: number;
  to: number;
}

/** The numbers of a range of steps. */
export interface RangeFacts {
  steps: number;
  /** The kinds in it, the most frequent first. */
  kinds: { kind: EventKind; count: number }[];
  calls: number;
  errors: number;
  /** Approximate: a part of its steps is only known as buckets. */
  isAbout: boolean;
  /** From the first step to the last as recorded, ms; null without times. */
  ms: number | null;
  /** The same without collapsed pauses. */
  busyMs: number | null;
}

/** Two steps as a range within a session; null if invalid. */
export function rangeOf(a: number, b: number, last: number): StepRange | null {
  const from = Math.max(Math.min(a, b), 1);
  const to = Math.min(Math.max(a, b), last);
  return Number.isSafeInteger(from) && Number.isSafeInteger(to) && from <= to ? { from, to } : null;
}

/** Counts what is in a range. */
export function factsOf({ rows, time, long }: TimelineModel, { from, to }: StepRange): RangeFacts {
  const segments =
    long?.segments ?? rows.slice(from - 1, to).map((row): Segment => ({ from: row.seq, to: row.seq, row }));
  const { kinds, calls, errors, isAbout } = countBetween(segments, { from, to });
  const counts = kinds
    .flatMap((count, rank) => ({ kind: KINDS[rank] ?? "run", count }))
    .filter(({ count }) => count > 0);
  const [start, end] = time ? [timeAt(time, from), timeAt(time, to)] : [null, null];
  const ms = start === null || end === null ? null : Math.max(end - start, 0);
  return {
    steps: to - from + 1,
    kinds: counts.sort((a, b) => b.count - a.count),
    calls,
    errors,
    ms,
    isAbout,
    busyMs: ms === null ? null : Math.max(ms - foldedBetween(time?.folds ?? [], from, to), 0),
  };
}

function foldedBetween(folds: readonly { seq: number; ms: number }[], from: number, to: number): number {
  return folds.reduce((sum, { seq, ms }) => (seq > from && seq <= to ? sum + ms : sum), 0);
}
