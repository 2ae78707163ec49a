import type { Step } from "../event-index-columns.ts";
import type { TimelineRow } from "./timeline.ts";
import { KINDS, kindRanks } from "./timeline-bins.ts";
import { type Lanes, LanesBuilder, type LanesStanding, TRACKS } from "./timeline-lanes.ts";
import { addTo, RowMaker, type RowMemory } from "./timeline-rows.ts";

/** Steps that are folded, stored and read together: their rows are made anew in a few milliseconds. */
export const CHUNK_STEPS = 1_024;
/** Steps of the smallest bucket; larger ones are put together of these. */
export const BUCKET_STEPS = 64;
/** Sessions up to this length are drawn of their rows alone, which are then under 1 MB. */
export const WHOLE_STEPS = 10_000;
/** A picture has at most so many buckets: more than pixels of the timeline. */
const MOST_BUCKETS = 2_048;

/** Pauses longer than this are folded; while a model or a tool worked, only those that would hide all else. */
const FOLDED_MS = 30_000;
const BUSY_FOLDED_MS = 600_000;

/** Stands among what a chunk holds where it has errors. */
export const ERROR = "error";

/** How a run stands among what a chunk holds. */
export function runMark(run: string): string {
  return `run ${run}`;
}

/** Steps of a session by so many, in columns: what is drawn of it where single steps cannot be told apart. */
export interface Buckets {
  /** Steps of each, but for the last, which ends at `to`. */
  size: number;
  from: number;
  to: number;
  /** When the first step of each happened, as drawn, epoch ms: never backwards. Null where no times are told by then. */
  time: (number | null)[];
  /** Idle stretches that are folded before it, from the session's first step on: how many, and how long together, ms. */
  folds: number[];
  folded: number[];
  /** How many steps there are of each of `KINDS`, by kind. */
  kinds: number[][];
  /** How many calls began. */
  calls: number[];
  /** By lane a letter for each: `-` nothing, `x` something goes on, `e` and ends with an error. */
  lanes: Record<string, string>;
}

/** Where time has come to at a place of the session. */
export interface ClockStanding {
  /** Of the first step and of the newest one, as drawn; null until one tells a time. */
  first: number | null;
  newest: number | null;
  folds: number;
  folded: number;
}

/** What is known after a step, to make rows, lanes and buckets of those that follow: of bounded size at any length. */
export interface LevelsStanding {
  seq: number;
  rows: RowMemory;
  lanes: LanesStanding;
  clock: ClockStanding;
}

/** Steps that were folded together. */
export interface Chunk {
  rows: TimelineRow[];
  buckets: Buckets;
  /** The types and the runs that are among them, and `error` where there is one. */
  holds: string[];
  standing: LevelsStanding;
}

export const AT_FIRST: LevelsStanding = {
  seq: 0,
  rows: { failures: { count: 0, runs: [] }, runs: [], calls: [], awaited: [] },
  lanes: new LanesBuilder().standing(),
  clock: { first: null, newest: null, folds: 0, folded: 0 },
};

/** Folds the steps that follow a place; `seqOf` as `RowMaker` has it. The same steps give the same chunk. */
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

/** Time as it is drawn, step by step: never backwards, and without the stretches in which nothing happened. */
export class Clock {
  standing: ClockStanding;

  constructor(standing: ClockStanding) {
    this.standing = standing;
  }

  /** `busy`: the step ended what a model or a tool did, so that the pause before it was none. True where it is folded. */
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

/** The steps that end what a model or a tool did. */
export function endsOf({ model, tools }: Pick<Lanes, "model" | "tools">): Set<number> {
  const ended = new Set<number>();
  for (const spans of [model, tools]) for (const { from, to } of spans) if (to !== null && to > from) ended.add(to);
  return ended;
}

/** Buckets of a session, chunk after chunk, as one: of steps `from` to `to`, as large as it takes for few of them. */
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

/** Tells in which buckets something of each lane goes on. */
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

/** The name of an agent's letters among the lanes: of its turns, the models it asked, or a track of its calls. */
export function agentLetters(agent: string, of: string): string {
  return `agent:${of}:${agent}`;
}

function moreTelling(one: string, other: string): string {
  return one === "e" || other === "e" ? "e" : one === "x" || other === "x" ? "x" : "-";
}
