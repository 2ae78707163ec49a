import type { Failures } from "./failures.ts";
import type { LanesStanding } from "./timeline-lanes.ts";
import type { Buckets, ClockStanding } from "./timeline-levels.ts";

/**
 * The answer of `GET /api/conversations/:id/timeline`: one entry a step, in columns, with repeated texts kept once.
 * `actor`, `agent`, `run`, `call` and `type` are indexes into the tables; -1 is none.
 */
export interface TimelineColumns {
  after: number;
  last: number;
  tables: {
    type: string[];
    actor: string[];
    agent: string[];
    run: string[];
    /** Each call by its full identity, with its tool. */
    call: { run: number; iteration: number; instance: string; id: string; tool: string }[];
  };
  seq: number[];
  /** Epoch ms; null where the source tells no time. */
  time: (number | null)[];
  type: number[];
  actor: number[];
  /** The agent whose step it is: see `RowMaker`. */
  agent: number[];
  run: number[];
  call: number[];
  /** The seq of the event that caused it; 0 is none. */
  cause: number[];
  /** 1 where the step is an error: see `failures.ts`. */
  error: number[];
  standing: TimelineStanding;
  /** What goes on where the rows begin; only where a part of a session was asked for. */
  before?: { lanes: LanesStanding; clock: ClockStanding };
}

/** The answer of `GET /api/conversations/:id/timeline/buckets`; `last` is the session's last step. */
export type TimelineBuckets = Buckets & { last: number };

/** What has to be known to make rows of the steps that follow; of runs in columns, as above. */
export interface TimelineStanding {
  run: number[];
  /** The iteration that the run is in. */
  iteration: number[];
  /** The agent that it began with, and who speaks in it since. */
  agent: number[];
  speaker: number[];
  /** Steps whose cause, an event's id, is yet to come; the newest 100. */
  awaited: { seq: number; cause: string }[];
  failures: Failures;
}

/** One step, as the timeline draws it. */
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

/** Steps of a session in their order: all of a short one, of a long one those around what is looked at. */
export type TimelineRows = readonly TimelineRow[];

/** The row of a step; undefined where it is not among them. */
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

/** Turns the columns of the API into rows; calls of the table are shared by the rows that name them. */
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
