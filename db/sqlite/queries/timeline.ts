import { CHUNK_STEPS, ERROR, joinBuckets } from "../../../lib/session/timeline/levels.ts";
import { encodeRows, RowMaker } from "../../../lib/session/timeline/rows.ts";
import { GO_ROUND, TYPES_OF_UNIT } from "../../../lib/session/timeline/steps.ts";
import type { TimelineBuckets, TimelineColumns, TimelineRow } from "../../../lib/session/timeline/timeline.ts";
import { MOST_ROWS } from "../../queries/timeline-limits.ts";
import type { FoundUnit } from "../../repositories.ts";
import type { Connection } from "../connection.ts";
import type { TimelineChunks } from "../projections/timeline-chunks.ts";

/**
 * Rows, lanes and buckets of a session's timeline (E8). Methods return null if there is no such conversation. Buckets
 * end where chunks are missing (`TimelineChunks.reach`); the others throw `NotMade`, except for all rows.
 */
export class Timelines {
  readonly #chunks: TimelineChunks;
  readonly #exists: (conversationId: string) => boolean;
  readonly #typed: (
    conversationId: string,
    range: { from: number; to: number },
    types: string,
    direction: 1 | -1,
  ) => number | null;

  constructor(connection: Connection, chunks: TimelineChunks) {
    this.#chunks = chunks;
    const exists = connection.prepare<[string]>("SELECT 1 FROM conversations WHERE id = ?");
    this.#exists = (id) => exists.get(id) !== undefined;
    const typed = (order: string) =>
      connection
        .prepare<[string, number, number, string], number>(
          `SELECT seq FROM events WHERE conversation_id = ? AND seq >= ? AND seq <= ?
             AND type IN (SELECT value FROM json_each(?)) ORDER BY seq ${order} LIMIT 1`,
        )
        .pluck();
    const [next, previous] = [typed("ASC"), typed("DESC")];
    this.#typed = (id, { from, to }, types, direction) =>
      (direction === 1 ? next : previous).get(id, from, to, types) ?? null;
  }

  /** Rows of the steps after one, in columns; with `limit` at most that many, with what is active at their start. */
  rows(conversationId: string, after: number, limit: number | null): TimelineColumns | null {
    if (!this.#exists(conversationId)) return null;
    const last = this.#chunks.last(conversationId);
    const to = Math.min(after + (limit ?? MOST_ROWS), last);
    if (limit !== null) this.#chunks.demand(conversationId, to);
    const before = this.#chunks.standingAt(conversationId, Math.min(after, last));
    const { rows, standing } = this.#chunks.fold(conversationId, before, to, to < last);
    const maker = RowMaker.from(standing.rows);
    const columns = encodeRows(rows, maker, { after, last });
    return limit === null ? columns : { ...columns, before: { lanes: before.lanes, clock: before.clock } };
  }

  /** Buckets of a range of steps, for zoom levels at which single steps cannot be seen. */
  buckets(conversationId: string, range: { from?: number; to?: number }): TimelineBuckets | null {
    if (!this.#exists(conversationId)) return null;
    const last = this.#chunks.last(conversationId);
    const from = Math.min(range.from ?? 1, Math.max(last, 1));
    const to = Math.min(range.to ?? last, this.#chunks.reach(conversationId));
    const start = Math.floor((from - 1) / CHUNK_STEPS) * CHUNK_STEPS + 1;
    const buckets = joinBuckets([...this.#chunks.buckets(conversationId, start, to)], start, to);
    return { ...buckets, last };
  }

  /** Whether chunks are missing that would make buckets fast. */
  lacks(conversationId: string): boolean {
    return this.#chunks.lacks(conversationId);
  }

  /** The nearest step of a unit after or before `at`, wrapping around for units that do; 0 for none. */
  next(conversationId: string, at: number, unit: FoundUnit, direction: 1 | -1): number | null {
    if (!this.#exists(conversationId)) return null;
    this.#chunks.demand(conversationId, this.#chunks.last(conversationId));
    const found = this.#nearest(conversationId, at + direction, unit, direction);
    if (found !== null || !GO_ROUND.has(unit)) return found ?? 0;
    return this.#nearest(conversationId, direction === 1 ? 1 : this.#chunks.last(conversationId), unit, direction) ?? 0;
  }

  #nearest(conversationId: string, from: number, unit: FoundUnit, direction: 1 | -1): number | null {
    const types: readonly string[] = unit === "error" ? [ERROR] : TYPES_OF_UNIT[unit];
    for (const part of this.#chunks.holding(conversationId, types, { from, direction })) {
      const found =
        unit === "error"
          ? this.#error(conversationId, part, direction)
          : this.#typed(conversationId, part, JSON.stringify(types), direction);
      if (found !== null) return found;
    }
    return null;
  }

  #error(conversationId: string, { from, to }: { from: number; to: number }, direction: 1 | -1): number | null {
    let newest: number | null = null;
    for (const rows of this.#chunks.rowsBetween(conversationId, from, to)) {
      const isIt = ({ seq, error }: TimelineRow) => error && seq >= from && seq <= to;
      const found = (direction === 1 ? rows.find(isIt) : rows.findLast(isIt))?.seq ?? null;
      if (found !== null && direction === 1) return found;
      newest = found ?? newest;
    }
    return newest;
  }
}
