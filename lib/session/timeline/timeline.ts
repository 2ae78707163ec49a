import type { Failures } from "./failures.ts";
import type { LanesStanding } from "./lanes/lanes.ts";
import type { Buckets, ClockStanding } from "./levels.ts";

/**
 * The response of `GET /api/conversations/:id/timeline`: one entry per step, in columns, with tables of repeated
 * strings. `actor`, `agent`, `run`, `call` and `type` are indexes into the tables; -1 is none.
 */
export interface TimelineColumns {
  after: number;
  last: number;
  tables: {
    type: string[];
    actor: string[];
    agent: string[];
    run: string[];
    /** Calls by full identity, with their tools. */
    call: { run: number; iteration: number; instance: string; id: string; tool: string }[];
  };
  seq: number[];
  /** Epoch ms; null if the source has no time. */
  time: (number | null)[];
  type: number[];
  actor: number[];
  /** The agent of the step: see `RowMaker`. */
  agent: number[];
  run: number[];
  call: number[];
  /** The seq of its cause; 0 is none. */
  cause: number[];
  /** 1 for errors: see `failures.ts`. */
  error: number[];
  standing: TimelineStanding;
  /** The state at the start of the rows; only if a part of a session was requested. */
  before?: { lanes: LanesStanding; clock: ClockStanding };
}

/** The response of `GET /api/conversations/:id/timeline/buckets`; `last` is the session's last step. */
export type TimelineBuckets = Buckets & { last: number };

/** The serialized state for rows of the next steps, in columns, as above. */
export interface TimelineStanding {
  run: number[];
  /** The current iteration of the run. */
  iteration: number[];
  /** The agent of the run's start, and its current speaker. */
  agent: number[];
  speaker: number[];
  /** Steps whose cause, by event id, has not arrived; the newest 100. */
  awaited: { seq: number; cause: string }[];
  failures: Failures;
}

/** A step of the timeline. */
export interface TimelineRow {
  seq: number;
  time: number | null;
  type: string;
  actor: string | null;
  agent: string | null;
  run: string | null;
  call: { run: string | null; iteration: number; instance: string; id: string; tool: string } | null;
  cause: number | null;
  error: boolean;
}

/** Steps of a session in order: all of a short one, the loaded ones of a long one. */
export type TimelineRows = readonly TimelineRow[];

/** The row of a step; undefined if it is not loaded. */
export function rowAt(rows: TimelineRows, seq: number): TimelineRow | undefined {
  const row = rows[seq - 1];
  if (row?.seq === seq) return row;
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.seq ?? 0) < seq) low = middle + 1;
    else high = middle;
  }
  return rows[low]?.seq === seq ? rows[low] : undefined;
}

/** Decodes the API's columns to rows; rows share the calls of the table. */
export function decodeTimeline(columns: TimelineColumns): TimelineRow[] {
  const { tables } = columns;
  const calls = tables.call.map(({ run, ...call }) => ({ run: tables.run[run] ?? null, ...call }));
  return columns.seq.map((seq, i) => ({
    seq,
    time: columns.time[i] ?? null,
    type: tables.type[columns.type[i] ?? -1] ?? "",
    actor: tables.actor[columns.actor[i] ?? -1] ?? null,
    agent: tables.agent[columns.agent[i] ?? -1] ?? null,
    run: tables.run[columns.run[i] ?? -1] ?? null,
    call: calls[columns.call[i] ?? -1] ?? null,
    cause: columns.cause[i] || null,
    error: columns.error[i] === 1,
  }));
}
