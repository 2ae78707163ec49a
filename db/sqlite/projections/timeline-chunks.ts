import type { Step } from "../../../lib/session/events/event-index-columns.ts";
import {
  AT_FIRST,
  type Buckets,
  CHUNK_STEPS,
  type Chunk,
  foldChunk,
  type LevelsStanding,
  WHOLE_STEPS,
} from "../../../lib/session/timeline/levels.ts";
import type { RowMemory } from "../../../lib/session/timeline/rows.ts";
import type { TimelineRow } from "../../../lib/session/timeline/timeline.ts";
import { NotMade } from "../../errors.ts";
import {
  CHUNK_VERSION,
  LOOKED_ON,
  MOST_UNSTORED,
  markOf,
  type StepRow,
  type StoredChunk,
  standingOf,
  stepsOf,
  toStored,
} from "../../projections/timeline-chunk.ts";
import type { Connection } from "../connection.ts";
import { positionsOf } from "../events-by-id.ts";

/** The columns that a `Step` is made of, for a SELECT. */
export const STEP_COLUMNS = `seq, id, type, actor, agent_id, run_id, parent_run_id, caused_by, call_id, iteration, instance, tool, error,
   occurred_at AS time, CASE WHEN type = 'run.iteration' THEN payload ->> '$.speaker.agent_id' END AS speaker,
   CASE WHEN type = 'run.started' THEN payload ->> '$.call_id' END AS parent_call,
   CASE WHEN type = 'run.started' THEN payload ->> '$.instance' END AS parent_instance`;

/** Chunk after chunk of a session's timeline (E8): stored ones, and those that are folded when they are asked for. */
export class TimelineChunks {
  readonly #reads: ReturnType<typeof prepareReads>;

  constructor(connection: Connection) {
    this.#reads = prepareReads(connection);
  }

  /** The last step of a conversation; 0 if it does not exist. */
  last(conversationId: string): number {
    return this.#reads.last.get(conversationId) ?? 0;
  }

  /** The chunks missing after the newest one of a long session, at most `limit`, oldest first. */
  missing(conversationId: string, limit: number): StoredChunk[] {
    const last = this.last(conversationId);
    if (last <= WHOLE_STEPS) return [];
    const chunks: StoredChunk[] = [];
    let standing = this.#standingBefore(conversationId, last + 1);
    while (chunks.length < limit && standing.seq + CHUNK_STEPS <= last) {
      const chunk = this.#fold(conversationId, standing, standing.seq + CHUNK_STEPS);
      chunks.push(toStored(chunk));
      standing = chunk.standing;
    }
    return chunks;
  }

  /** Whether a long session lacks a whole chunk. */
  lacks(conversationId: string): boolean {
    const last = this.last(conversationId);
    return last > WHOLE_STEPS && last - this.#newest(conversationId, last) >= CHUNK_STEPS;
  }

  /** The last step that can be answered for without a long delay. */
  reach(conversationId: string): number {
    const last = this.last(conversationId);
    const newest = this.#newest(conversationId, last);
    return last - newest <= MOST_UNSTORED ? last : newest;
  }

  /** Throws `NotMade` if the state after this step cannot be computed without a long delay. */
  demand(conversationId: string, seq: number): void {
    const reach = this.reach(conversationId);
    if (seq > reach) throw new NotMade(reach, this.last(conversationId));
  }

  /** The buckets of the chunks that overlap a range of steps, oldest first. */
  *buckets(conversationId: string, from: number, to: number): Generator<Buckets> {
    const stored = this.#reads.buckets.iterate(conversationId, from, to + CHUNK_STEPS - 1, CHUNK_VERSION);
    for (const buckets of stored) yield JSON.parse(buckets);
    for (const { buckets } of this.#unstored(conversationId, from, to)) yield buckets;
  }

  /** The timeline's state after a step. */
  standingAt(conversationId: string, seq: number): LevelsStanding {
    const before = this.#standingBefore(conversationId, seq + 1);
    let standing = before;
    while (standing.seq < seq)
      standing = this.#fold(conversationId, standing, Math.min(standing.seq + CHUNK_STEPS, seq)).standing;
    return standing;
  }

  /** Reduces a range of steps; `looksOn` also applies what soon follows to their rows. */
  fold(conversationId: string, before: LevelsStanding, to: number, looksOn: boolean): Chunk {
    if (!looksOn) return this.#fold(conversationId, before, to);
    const chunk = this.#fold(conversationId, before, to + LOOKED_ON);
    return { ...chunk, rows: chunk.rows.slice(0, Math.max(to - before.seq, 0)) };
  }

  /** The rows of the chunks that overlap a range of steps, chunk by chunk, oldest first. */
  *rowsBetween(conversationId: string, from: number, to: number): Generator<TimelineRow[]> {
    let standing = this.#standingBefore(conversationId, from);
    while (standing.seq < to) {
      const chunk = this.#fold(conversationId, standing, standing.seq + CHUNK_STEPS);
      if (chunk.rows.length === 0) return;
      yield chunk.rows;
      standing = chunk.standing;
    }
  }

  /** The timeline's state of runs and calls some steps before a step: at the start of its chunk. */
  memoryBefore(conversationId: string, seq: number): { seq: number; rows: RowMemory } {
    return this.#standingBefore(conversationId, seq);
  }

  /**
   * The ranges of steps that may contain events of these types or runs (`runMark`), forwards or backwards from a step;
   * steps without a chunk are one range.
   */
  *holding(
    conversationId: string,
    wanted: readonly string[],
    { from, direction }: { from: number; direction: 1 | -1 },
  ): Generator<{ from: number; to: number }> {
    const last = this.last(conversationId);
    const newest = this.#newest(conversationId, last);
    const patterns = JSON.stringify(wanted.map(markOf));
    const stored = direction === 1 ? this.#reads.holdingAfter : this.#reads.holdingBefore;
    const unstored = { from: Math.max(newest + 1, direction === 1 ? from : 1), to: direction === 1 ? last : from };
    if (direction === -1 && unstored.from <= unstored.to) yield unstored;
    for (const seq of stored.iterate({ conversation: conversationId, from, patterns, version: CHUNK_VERSION })) {
      const begin = seq - CHUNK_STEPS + 1;
      yield direction === 1 ? { from: Math.max(begin, from), to: seq } : { from: begin, to: Math.min(seq, from) };
    }
    if (direction === 1 && unstored.from <= unstored.to) yield unstored;
  }

  seqOf(conversationId: string, eventId: string): number | null {
    return this.#reads.seqOf.get({ id: eventId, conversationId }) ?? null;
  }

  /** Chunks that are not stored yet, and the incomplete last one. */
  *#unstored(conversationId: string, from: number, to: number): Generator<Chunk> {
    if (this.#newest(conversationId, Number.MAX_SAFE_INTEGER) >= to) return;
    let standing = this.#standingBefore(conversationId, to + 1);
    while (standing.seq < to) {
      const chunk = this.#fold(conversationId, standing, standing.seq + CHUNK_STEPS);
      if (chunk.rows.length === 0) return;
      if (chunk.standing.seq >= from) yield chunk;
      standing = chunk.standing;
    }
  }

  /** The last step of the newest chunk, up to a step. */
  #newest(conversationId: string, to: number): number {
    return this.#reads.newest.get(conversationId, to, CHUNK_VERSION) ?? 0;
  }

  #standingBefore(conversationId: string, seq: number): LevelsStanding {
    const stored = this.#reads.standing.get(conversationId, seq - 1, CHUNK_VERSION);
    return stored ? standingOf(stored) : AT_FIRST;
  }

  #fold(conversationId: string, standing: LevelsStanding, to: number): Chunk {
    return foldChunk(standing, this.#steps(conversationId, standing.seq, to), (id) => this.seqOf(conversationId, id));
  }

  #steps(conversationId: string, after: number, to: number): Generator<Step> {
    return stepsOf(this.#reads.steps.all(conversationId, after, to));
  }
}

function prepareReads(connection: Connection) {
  const holding = (side: string, order: string) =>
    connection
      .prepare<{ conversation: string; from: number; patterns: string; version: number }, number>(
        `SELECT seq FROM timeline_chunks WHERE conversation_id = :conversation AND version = :version AND ${side}
           AND EXISTS (SELECT 1 FROM json_each(:patterns) WHERE instr(holds, value) > 0) ORDER BY seq ${order}`,
      )
      .pluck();
  return {
    last: connection.prepare<[string], number | null>("SELECT max(seq) FROM events WHERE conversation_id = ?").pluck(),
    newest: connection
      .prepare<[string, number, number], number | null>(
        "SELECT max(seq) FROM timeline_chunks WHERE conversation_id = ? AND seq <= ? AND version = ?",
      )
      .pluck(),
    standing: connection
      .prepare<[string, number, number], Buffer>(
        `SELECT standing FROM timeline_chunks WHERE conversation_id = ? AND seq <= ? AND version = ?
         ORDER BY seq DESC LIMIT 1`,
      )
      .pluck(),
    buckets: connection
      .prepare<[string, number, number, number], string>(
        `SELECT buckets FROM timeline_chunks WHERE conversation_id = ? AND seq >= ? AND seq <= ? AND version = ?
         ORDER BY seq`,
      )
      .pluck(),
    holdingAfter: holding("seq >= :from", "ASC"),
    holdingBefore: holding(`seq < :from + ${CHUNK_STEPS}`, "DESC"),
    steps: connection.prepare<[string, number, number], StepRow>(
      `SELECT ${STEP_COLUMNS} FROM events WHERE conversation_id = ? AND seq > ? AND seq <= ? ORDER BY seq`,
    ),
    seqOf: connection
      .prepare<[{ id: string; conversationId: string }], number>(
        `SELECT seq FROM events WHERE position IN (${positionsOf((id) => `${id} = :id`, ":id")})
           AND +conversation_id = :conversationId`,
      )
      .pluck(),
  };
}
