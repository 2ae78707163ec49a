/**
 * The answer of `GET /api/conversations/:id/timeline`: one entry a step, in columns, with repeated texts kept once.
 * `actor`, `run`, `call` and `type` are indexes into the tables; -1 is none.
 */
export interface TimelineColumns {
  after: number;
  last: number;
  tables: {
    type: string[];
    actor: string[];
    run: string[];
    /** Each call by its full identity, with its tool. */
    call: { run: number; iteration: number; instance: string; id: string; tool: string }[];
  };
  seq: number[];
  /** Epoch ms; null where the source tells no time. */
  time: (number | null)[];
  type: number[];
  actor: number[];
  run: number[];
  call: number[];
  /** The seq of the event that caused it; 0 is none. */
  cause: number[];
  /** 1 where the step is an error. */
  error: number[];
}

/** One step, as the timeline draws it. */
export interface TimelineRow {
  seq: number;
  time: number | null;
  type: string;
  actor: string | null;
  run: string | null;
  call: { run: string | null; iteration: number; instance: string; id: string; tool: string } | null;
  cause: number | null;
  error: boolean;
}

/** All steps of a session, index = seq - 1. */
export type TimelineRows = readonly TimelineRow[];
