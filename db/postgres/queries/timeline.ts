import { CHUNK_STEPS, ERROR, joinBuckets } from "../../../lib/session/timeline/levels.ts";
import { encodeRows, RowMaker } from "../../../lib/session/timeline/rows.ts";
import { GO_ROUND, TYPES_OF_UNIT } from "../../../lib/session/timeline/steps.ts";
import type { TimelineBuckets, TimelineColumns, TimelineRow } from "../../../lib/session/timeline/timeline.ts";
import { MOST_ROWS } from "../../queries/timeline-limits.ts";
import type { FoundUnit } from "../../repositories.ts";
import type { Queries } from "../database.ts";
import type { TimelineChunks } from "../projections/timeline-chunks.ts";

/** Rows of the steps after one, in columns; with `limit` at most so many, and with what goes on where they begin. */
export async function timelineRows(
  chunks: TimelineChunks,
  after: number,
  limit: number | null,
): Promise<TimelineColumns> {
  const { last } = chunks;
  const to = Math.min(after + (limit ?? MOST_ROWS), last);
  if (limit !== null) chunks.demand(to);
  const before = await chunks.standingAt(Math.min(after, last));
  const { rows, standing } = await chunks.fold(before, to, to < last);
  const columns = encodeRows(rows, RowMaker.from(standing.rows), { after, last });
  return limit === null ? columns : { ...columns, before: { lanes: before.lanes, clock: before.clock } };
}

/** What is drawn of the steps between two where they cannot be told apart. */
export async function timelineBuckets(
  chunks: TimelineChunks,
  range: { from?: number; to?: number },
): Promise<TimelineBuckets> {
  const { last } = chunks;
  const from = Math.min(range.from ?? 1, Math.max(last, 1));
  const to = Math.min(range.to ?? last, chunks.reach);
  const start = Math.floor((from - 1) / CHUNK_STEPS) * CHUNK_STEPS + 1;
  return { ...joinBuckets(await chunks.buckets(start, to), start, to), last };
}

/** The nearest step of a unit after or before `at`, and round the end where people look for it so; 0 for none. */
export async function nextStep(
  queries: Queries,
  chunks: TimelineChunks,
  conversationId: string,
  { at, unit, direction }: { at: number; unit: FoundUnit; direction: 1 | -1 },
): Promise<number> {
  chunks.demand(chunks.last);
  const find = (from: number) => nearest(queries, chunks, conversationId, { from, unit, direction });
  const found = await find(at + direction);
  if (found !== null || !GO_ROUND.has(unit)) return found ?? 0;
  return (await find(direction === 1 ? 1 : chunks.last)) ?? 0;
}

async function nearest(
  queries: Queries,
  chunks: TimelineChunks,
  conversationId: string,
  { from, unit, direction }: { from: number; unit: FoundUnit; direction: 1 | -1 },
): Promise<number | null> {
  const types: readonly string[] = unit === "error" ? [ERROR] : TYPES_OF_UNIT[unit];
  for (const part of await chunks.holding(types, { from, direction })) {
    const found =
      unit === "error"
        ? await nearestError(chunks, part, direction)
        : await nearestOfType(queries, conversationId, part, types, direction);
    if (found !== null) return found;
  }
  return null;
}

async function nearestOfType(
  queries: Queries,
  conversationId: string,
  { from, to }: { from: number; to: number },
  types: readonly string[],
  direction: 1 | -1,
): Promise<number | null> {
  const [row] = await queries.rows<{ seq: number }>(
    `SELECT seq FROM events WHERE conversation_id = $1 AND seq >= $2 AND seq <= $3 AND type = ANY($4)
     ORDER BY seq ${direction === 1 ? "ASC" : "DESC"} LIMIT 1`,
    [conversationId, from, to, types],
  );
  return row?.seq ?? null;
}

async function nearestError(
  chunks: TimelineChunks,
  { from, to }: { from: number; to: number },
  direction: 1 | -1,
): Promise<number | null> {
  let newest: number | null = null;
  for await (const rows of chunks.rowsBetween(from, to)) {
    const isIt = ({ seq, error }: TimelineRow) => error && seq >= from && seq <= to;
    const found = (direction === 1 ? rows.find(isIt) : rows.findLast(isIt))?.seq ?? null;
    if (found !== null && direction === 1) return found;
    newest = found ?? newest;
  }
  return newest;
}
