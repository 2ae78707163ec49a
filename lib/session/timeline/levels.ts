import type { Step } from "../events/event-index-columns.ts";
import { type Lanes, LanesBuilder, type LanesStanding, TRACKS } from "./lanes/lanes.ts";
import { addTo, RowMaker, type RowMemory } from "./rows.ts";
import { KINDS, kindRanks } from "./scale/bins.ts";
import type { TimelineRow } from "./timeline.ts";

/** Steps that are reduced, stored and read together: their rows can be created in a few milliseconds. */
export const CHUNK_STEPS = 1_024;
/** Steps per smallest bucket; larger ones are merged from these. */
export const BUCKET_STEPS = 64;
/** The maximum length of a session that is drawn from rows only, which are then under 1 MB. */
export const WHOLE_STEPS = 10_000;
/** The maximum number of buckets in a response: more than pixels of the timeline. */
const MOST_BUCKETS = 2_048;

/** Longer pauses are collapsed; while a model or a tool was working, only those that would hide everything else. */
const FOLDED_MS = 30_000;
const BUSY_FOLDED_MS = 600_000;

/** In `holds` of chunks with errors. */
export const ERROR = "error";

/** A run in `holds` of a chunk. */
export function runMark(run: string): string {
  return `run ${run}`;
}

/** Steps of a session grouped by number, in columns, for zoom levels at which single steps cannot be seen. */
export interface Buckets {
  /** Steps per bucket, except the last, which ends at `to`. */
  size: number;
  from: number;
  to: number;
  /** The time of each first step, as drawn, epoch ms: monotonic. Null before the first known time. */
  time: (number | null)[];
  /** The number of collapsed pauses before it since the session's first step, and their total length, ms. */
  folds: number[];
  folded: number[];
  /** The number of steps per kind in `KINDS`. */
  kinds: number[][];
  /** The number of calls that started. */
  calls: number[];
  /** One letter per bucket and lane: `-` nothing, `x` active, `e` and ends with an error. */
  lanes: Record<string, string>;
}

/** The state of the time axis at a step. */
export interface ClockStanding {
  /** Of the first step and the newest one, as drawn; null until there is a time. */
  first: number | null;
  newest: number | null;
  folds: number;
  folded: number;
}

/** The state after a step that is needed for the rows, lanes and buckets of the next ones; bounded. */
export interface LevelsStanding {
  seq: number;
  rows: RowMemory;
  lanes: LanesStanding;
  clock: ClockStanding;
}

/** Steps that are stored together. */
export interface Chunk {
  rows: TimelineRow[];
  buckets: Buckets;
  /** Its types and runs, and `error` if it has errors. */
  holds: string[];
  standing: LevelsStanding;
}

export const AT_FIRST: LevelsStanding = {
  seq: 0,
  rows: { failures: { count: 0, runs: [] }, runs: [], calls: [], awaited: [] },
  lanes: new LanesBuilder().standing(),
  clock: { first: null, newest: null, folds: 0, folded: 0 },
};

/** Reduces the steps after a position; `seqOf` as in `RowMaker`. Deterministic. */
export function foldChunk(
  before: LevelsStanding,
  steps: Iterable<Step>,
  seqOf: (eventId: string) => number | null,
): Chunk {
  const maker = RowMaker.from(before.rows, seqOf);
  const rows: TimelineRow[] = [];
  for (const step of steps) addTo(rows, maker, step, before.seq);
  const to = before.seq + rows.length;
  const builder = new LanesBuilder(before.lanes);
  const lanes = builder.add(rows);
  const clock = new Clock(before.clock);
  const ended = endsOf(lanes);
  const buckets = emptyBuckets(before.seq + 1, to);
  const ranks = kindRanks(rows);
  for (const [i, row] of rows.entries()) {
    const bucket = Math.floor(i / BUCKET_STEPS);
    clock.pass(row, ended.has(row.seq));
    if (i % BUCKET_STEPS === 0) pushTime(buckets, clock.standing);
    count(buckets.kinds[ranks[i] ?? 0], bucket);
    if (row.type === "call.started") count(buckets.calls, bucket);
  }
  coverLanes(buckets, lanes, rows);
  return {
    rows,
    buckets,
    holds: [...new Set(rows.flatMap(heldBy))],
    standing: { seq: to, rows: maker.remember(rows), lanes: builder.standing(), clock: clock.standing },
  };
}

function heldBy({ type, run, error }: TimelineRow): string[] {
  return [type, ...(run === null ? [] : [runMark(run)]), ...(error ? [ERROR] : [])];
}

/** Drawn time, step by step: monotonic, and without collapsed pauses. */
export class Clock {
  standing: ClockStanding;

  constructor(standing: ClockStanding) {
    this.standing = standing;
  }

  /**
   * `busy`: the step ended a model request or a call, so the pause before it was not idle. Returns whether it is
   * collapsed.
   */
  pass({ time }: Pick<TimelineRow, "time">, busy: boolean): boolean {
    const { first, newest, folds, folded } = this.standing;
    if (newest === null) {
      if (time !== null) this.standing = { first: time, newest: time, folds, folded };
      return false;
    }
    const now = Math.max(time ?? 0, newest + 1);
    const pause = now - newest;
    const isFolded = pause > (busy ? BUSY_FOLDED_MS : FOLDED_MS);
    this.standing = isFolded
      ? { first, newest: now, folds: folds + 1, folded: folded + pause }
      : { first, newest: now, folds, folded };
    return isFolded;
  }
}

/** The steps that end model requests or calls. */
export function endsOf({ model, tools }: Pick<Lanes, "model" | "tools">): Set<number> {
  const ended = new Set<number>();
  for (const spans of [model, tools]) for (const { from, to } of spans) if (to !== null && to > from) ended.add(to);
  return ended;
}

/** Merges the buckets of chunks to fewer ones for the steps `from` to `to`. */
export function joinBuckets(chunks: readonly Buckets[], from: number, to: number): Buckets {
  let size = BUCKET_STEPS;
  while ((to - from + 1) / size > MOST_BUCKETS) size *= 2;
  const start = Math.floor((from - 1) / size) * size + 1;
  const joined = emptyBuckets(start, start - 1);
  joined.size = size;
  for (const chunk of chunks) {
    for (let i = 0; i < chunk.time.length; i += 1) {
      const seq = chunk.from + i * chunk.size;
      if (seq < start || seq > to) continue;
      const bucket = Math.floor((seq - start) / size);
      if (bucket === joined.time.length)
        pushTime(joined, { newest: chunk.time[i] ?? null, folds: chunk.folds[i] ?? 0, folded: chunk.folded[i] ?? 0 });
      for (const [rank, counts] of chunk.kinds.entries()) count(joined.kinds[rank], bucket, counts[i] ?? 0);
      count(joined.calls, bucket, chunk.calls[i] ?? 0);
      joined.to = Math.min(seq + chunk.size - 1, chunk.to);
    }
  }
  const marks = new Map<string, string[]>();
  for (const chunk of chunks)
    for (const [lane, letters] of Object.entries(chunk.lanes)) {
      const own = marks.get(lane) ?? Array.from(joined.time, () => "-");
      marks.set(lane, own);
      for (let i = 0; i < letters.length; i += 1) {
        const bucket = Math.floor((chunk.from + i * chunk.size - start) / size);
        if (bucket >= 0 && bucket < own.length) own[bucket] = moreTelling(own[bucket] ?? "-", letters[i] ?? "-");
      }
    }
  joined.lanes = Object.fromEntries([...marks].map(([lane, letters]) => [lane, letters.join("")]));
  return joined;
}

function emptyBuckets(from: number, to: number): Buckets {
  return {
    ...{ size: BUCKET_STEPS, from, to, time: [], folds: [], folded: [] },
    kinds: KINDS.map(() => []),
    ...{ calls: [], lanes: {} },
  };
}

function pushTime(buckets: Buckets, { newest, folds, folded }: Omit<ClockStanding, "first">): void {
  buckets.time.push(newest);
  buckets.folds.push(folds);
  buckets.folded.push(folded);
  for (const counts of buckets.kinds) counts.push(0);
  buckets.calls.push(0);
}

function count(counts: number[] | undefined, bucket: number, more = 1): void {
  if (counts) counts[bucket] = (counts[bucket] ?? 0) + more;
}

interface Covering {
  from: number;
  to: number | null;
  failed?: boolean;
}

/** Sets the letters of lanes with active items. */
function coverLanes(buckets: Buckets, lanes: Lanes, rows: readonly TimelineRow[]): void {
  const cover = (lane: string, spans: readonly Covering[]) => {
    if (spans.length === 0) return;
    const letters = Array.from(buckets.time, () => "-");
    for (const { from, to, failed = false } of spans) {
      const first = Math.max(Math.floor((from - buckets.from) / BUCKET_STEPS), 0);
      const last = Math.floor(((to ?? buckets.to) - buckets.from) / BUCKET_STEPS);
      for (let bucket = first; bucket <= last; bucket += 1)
        letters[bucket] = moreTelling(letters[bucket] ?? "-", failed && bucket === last ? "e" : "x");
    }
    buckets.lanes[lane] = letters.join("");
  };
  if (rows.length === 0) return;
  cover(
    "user",
    lanes.user.map((seq) => ({ from: seq, to: seq })),
  );
  cover("agent", lanes.agent);
  cover("model", lanes.model);
  cover("approvals", lanes.approvals);
  for (const { agent, turns, model, tools } of [
    { agent: null, turns: [], model: [], tools: lanes.tools },
    ...lanes.byAgent,
  ]) {
    if (agent !== null) {
      cover(agentLetters(agent, "turns"), turns);
      cover(agentLetters(agent, "model"), model);
    }
    for (let track = 0; track < TRACKS; track += 1)
      cover(
        agent === null ? `tools:${track}` : agentLetters(agent, `tools:${track}`),
        tools.filter((call) => call.track === track),
      );
  }
}

/** The key of an agent's letters: for its runs, its model requests, or a track of its calls. */
export function agentLetters(agent: string, of: string): string {
  return `agent:${of}:${agent}`;
}

function moreTelling(one: string, other: string): string {
  return one === "e" || other === "e" ? "e" : one === "x" || other === "x" ? "x" : "-";
}
