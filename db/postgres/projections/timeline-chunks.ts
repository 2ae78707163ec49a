import {
  AT_FIRST,
  type Buckets,
  CHUNK_STEPS,
  type Chunk,
  foldChunk,
  type LevelsStanding,
  WHOLE_STEPS,
} from "../../../lib/session/timeline/levels.ts";
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
import type { Queries } from "../database.ts";
import { jsonIn } from "../queries/json-text.ts";
import { lastStep } from "./folded.ts";

const STEPS = `SELECT seq, id, type, actor, agent_id, run_id, parent_run_id, caused_by, call_id, iteration, instance, tool, error,
    occurred_at AS time, CASE WHEN type = 'run.iteration' THEN ${jsonIn("payload")} -> 'speaker' ->> 'agent_id' END AS speaker,
    CASE WHEN type = 'run.started' THEN ${jsonIn("payload")} ->> 'call_id' END AS parent_call,
    CASE WHEN type = 'run.started' THEN ${jsonIn("payload")} ->> 'instance' END AS parent_instance
  FROM events WHERE conversation_id = $1 AND seq > $2 AND seq <= $3 ORDER BY seq`;

/** Chunk after chunk of a session's timeline (E8), as of its last step when it is opened. */
export class TimelineChunks {
  readonly #queries: Queries;
  readonly #id: string;
  /** The last step of the conversation; 0 where there is no such conversation. */
  readonly last: number;
  /** The last step that a stored chunk tells of. */
  readonly #newest: number;

  private constructor(queries: Queries, id: string, last: number, newest: number) {
    this.#queries = queries;
    this.#id = id;
    this.last = last;
    this.#newest = newest;
  }

  static async open(queries: Queries, conversationId: string): Promise<TimelineChunks> {
    const [last, [newest]] = await Promise.all([
      lastStep(queries, conversationId),
      queries.rows<{ seq: number | null }>(
        "SELECT max(seq) AS seq FROM timeline_chunks WHERE conversation_id = $1 AND version = $2",
        [conversationId, CHUNK_VERSION],
      ),
    ]);
    return new TimelineChunks(queries, conversationId, last, newest?.seq ?? 0);
  }

  /** The chunks that a long session lacks after its newest one, at most `limit`, oldest first. */
  async missing(limit: number): Promise<StoredChunk[]> {
    if (this.last <= WHOLE_STEPS) return [];
    const chunks: StoredChunk[] = [];
    let standing = await this.#standingBefore(this.last + 1);
    while (chunks.length < limit && standing.seq + CHUNK_STEPS <= this.last) {
      const chunk = await this.#fold(standing, standing.seq + CHUNK_STEPS);
      chunks.push(toStored(chunk));
      standing = chunk.standing;
    }
    return chunks;
  }

  /** Whether a long session lacks a whole chunk. */
  get lacks(): boolean {
    return this.last > WHOLE_STEPS && this.last - this.#newest >= CHUNK_STEPS;
  }

  /** The last step up to which what is asked for can be told in a moment. */
  get reach(): number {
    return this.last - this.#newest <= MOST_UNSTORED ? this.last : this.#newest;
  }

  /** Throws `NotMade` where what is known up to a step cannot be told in a moment. */
  demand(seq: number): void {
    if (seq > this.reach) throw new NotMade(this.reach, this.last);
  }

  /** The buckets of the chunks that have steps between two, oldest first. */
  async buckets(from: number, to: number): Promise<Buckets[]> {
    const stored = await this.#queries.rows<{ buckets: string }>(
      `SELECT buckets FROM timeline_chunks WHERE conversation_id = $1 AND seq >= $2 AND seq <= $3 AND version = $4
       ORDER BY seq`,
      [this.#id, from, to + CHUNK_STEPS - 1, CHUNK_VERSION],
    );
    const buckets: Buckets[] = stored.map((row) => JSON.parse(row.buckets));
    if (this.#newest >= to) return buckets;
    let standing = await this.#standingBefore(to + 1);
    while (standing.seq < to) {
      const chunk = await this.#fold(standing, standing.seq + CHUNK_STEPS);
      if (chunk.rows.length === 0) break;
      if (chunk.standing.seq >= from) buckets.push(chunk.buckets);
      standing = chunk.standing;
    }
    return buckets;
  }

  /** What is known after a step. */
  async standingAt(seq: number): Promise<LevelsStanding> {
    let standing = await this.#standingBefore(seq + 1);
    while (standing.seq < seq)
      standing = (await this.#fold(standing, Math.min(standing.seq + CHUNK_STEPS, seq))).standing;
    return standing;
  }

  /** The steps after a place, up to another; `looksOn` changes their rows by what follows soon after them. */
  async fold(before: LevelsStanding, to: number, looksOn: boolean): Promise<Chunk> {
    if (!looksOn) return this.#fold(before, to);
    const chunk = await this.#fold(before, to + LOOKED_ON);
    return { ...chunk, rows: chunk.rows.slice(0, Math.max(to - before.seq, 0)) };
  }

  /** The rows of the chunks that have steps between two, chunk by chunk, oldest first. */
  async *rowsBetween(from: number, to: number): AsyncGenerator<TimelineRow[]> {
    let standing = await this.#standingBefore(from);
    while (standing.seq < to) {
      const chunk = await this.#fold(standing, standing.seq + CHUNK_STEPS);
      if (chunk.rows.length === 0) return;
      yield chunk.rows;
      standing = chunk.standing;
    }
  }

  /** What was known of runs and calls some steps before another: at the beginning of its chunk. */
  memoryBefore(seq: number): Promise<LevelsStanding> {
    return this.#standingBefore(seq);
  }

  /** The parts in which there may be an event of these types or runs, from a step on or back from it; those that no chunk tells of are one part. */
  async holding(
    wanted: readonly string[],
    { from, direction }: { from: number; direction: 1 | -1 },
  ): Promise<{ from: number; to: number }[]> {
    const stored = await this.#queries.rows<{ seq: number }>(
      `SELECT seq FROM timeline_chunks WHERE conversation_id = $1 AND version = $2 AND ${
        direction === 1 ? "seq >= $3::bigint" : `seq < $3::bigint + ${CHUNK_STEPS}`
      } AND EXISTS (SELECT 1 FROM unnest($4::text[]) AS mark WHERE strpos(holds, mark) > 0)
       ORDER BY seq ${direction === 1 ? "ASC" : "DESC"}`,
      [this.#id, CHUNK_VERSION, from, wanted.map(markOf)],
    );
    const parts = stored.map(({ seq }) => {
      const begin = seq - CHUNK_STEPS + 1;
      return direction === 1 ? { from: Math.max(begin, from), to: seq } : { from: begin, to: Math.min(seq, from) };
    });
    const unstored = {
      from: Math.max(this.#newest + 1, direction === 1 ? from : 1),
      to: direction === 1 ? this.last : from,
    };
    const rest = unstored.from <= unstored.to ? [unstored] : [];
    return direction === 1 ? [...parts, ...rest] : [...rest, ...parts];
  }

  async #standingBefore(seq: number): Promise<LevelsStanding> {
    const [stored] = await this.#queries.rows<{ standing: Buffer }>(
      `SELECT standing FROM timeline_chunks WHERE conversation_id = $1 AND seq <= $2 AND version = $3
       ORDER BY seq DESC LIMIT 1`,
      [this.#id, seq - 1, CHUNK_VERSION],
    );
    return stored ? standingOf(stored.standing) : AT_FIRST;
  }

  async #fold(standing: LevelsStanding, to: number): Promise<Chunk> {
    const rows = await this.#queries.rows<StepRow>(STEPS, [this.#id, standing.seq, to]);
    const steps = [...stepsOf(rows)];
    // A cause may be anywhere in the conversation.
    const causes = [...new Set([...rows.flatMap(({ caused_by }) => caused_by ?? [])])];
    const places = await this.#queries.rows<{ id: string; seq: number }>(
      "SELECT id, seq FROM events WHERE id = ANY($1) AND conversation_id = $2",
      [causes, this.#id],
    );
    const seqs = new Map(places.map(({ id, seq }) => [id, seq]));
    return foldChunk(standing, steps, (id) => seqs.get(id) ?? null);
  }
}
