import { type EventKind, kindOf } from "./kinds.ts";
import type { TimelineModel } from "./timeline-model.ts";

/** Steps from … to, both among them. */
export interface StepRange {
  from: number;
  to: number;
}

/** What happened in a range of steps, in numbers. */
export interface RangeFacts {
  steps: number;
  /** Kinds that are there, the most frequent first. */
  kinds: { kind: EventKind; count: number }[];
  calls: number;
  errors: number;
  /** From the first step to the last as recorded, ms; null where no times are told. */
  ms: number | null;
  /** The same without the stretches that are folded. */
  busyMs: number | null;
}

/** Two steps in either order, within a session; null where they are no range of it. */
export function rangeOf(a: number, b: number, last: number): StepRange | null {
  const from = Math.max(Math.min(a, b), 1);
  const to = Math.min(Math.max(a, b), last);
  return Number.isSafeInteger(from) && Number.isSafeInteger(to) && from <= to ? { from, to } : null;
}

/** Counts what happened in a range. */
export function factsOf({ rows, time }: TimelineModel, { from, to }: StepRange): RangeFacts {
  const counts = new Map<EventKind, number>();
  let calls = 0;
  let errors = 0;
  for (let seq = from; seq <= to; seq += 1) {
    const row = rows[seq - 1];
    if (!row) continue;
    const kind = kindOf(row);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (row.type === "call.started") calls += 1;
    if (row.error) errors += 1;
  }
  const ms = time?.times ? Math.max((time.times[to - 1] ?? 0) - (time.times[from - 1] ?? 0), 0) : null;
  return {
    steps: to - from + 1,
    kinds: [...counts].map(([kind, count]) => ({ kind, count })).sort((a, b) => b.count - a.count),
    calls,
    errors,
    ms,
    busyMs: ms === null ? null : Math.max(ms - foldedBetween(time?.folds ?? [], from, to), 0),
  };
}

function foldedBetween(folds: readonly { seq: number; ms: number }[], from: number, to: number): number {
  return folds.reduce((sum, { seq, ms }) => (seq > from && seq <= to ? sum + ms : sum), 0);
}
