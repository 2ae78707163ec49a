import type { PlacedPart } from "../../../lib/rollup/fold.ts";
import type { RolledScore, ScoredCall, ScoredRun } from "../../../lib/rollup/score-parts.ts";
import { IS_SEEN } from "../../log/unfinished.ts";
import {
  CountedAgain,
  countScores,
  type DueScores,
  foldBatch,
  MOST_ROLLED,
  MOST_UNROLLED,
  PART_COLUMNS,
  type PartRow,
  ROLLED_COLUMNS,
  type RolledRow,
  type RollupBatch,
  toPart,
} from "../../rollup/batch.ts";
import { COUNT_DUE, DUE, type DueRow, dueReads, hasPlaces } from "../../rollup/due-scores.ts";
import type { Queries } from "../database.ts";
import { jsonIn } from "../queries/json-text.ts";
import { raw, select } from "../queries/select.ts";

/** The next of the log that the rollup does not have (see `db/sqlite/rollup/read-batch.ts`). Null: it has all. */
export async function readRollupBatch(queries: Queries): Promise<RollupBatch | null> {
  const from = await readRollupProgress(queries);
  const [again] = await queries.rows<{ conversation: number }>(
    "SELECT conversation FROM rollup_states WHERE state IS NULL LIMIT 1",
  );
  if (again) return countAgain(queries, from, again.conversation);
  const rows = await queries.rows<RolledRow>(
    `SELECT * FROM (
       SELECT *, sum(octet_length(payload)) OVER (ORDER BY position) - octet_length(payload) AS before
       FROM (SELECT ${ROLLED_COLUMNS} FROM events WHERE position > $1 AND ${IS_SEEN}
         ORDER BY position LIMIT ${MOST_ROLLED.events}) AS wanted
     ) AS page WHERE before < ${MOST_ROLLED.payload} ORDER BY position`,
    [from],
  );
  const ids = [...new Set(rows.flatMap(({ conversation_id }) => conversation_id ?? []))];
  const found = await queries.rows<{ id: string; position: number; state: string | null }>(
    `SELECT id, position, state FROM conversations LEFT JOIN rollup_states ON conversation = position WHERE id = ANY($1)`,
    [ids],
  );
  const places = new Map(found.map(({ id, position }) => [id, position]));
  const states = new Map(
    found.flatMap(({ position, state }): [number, string][] => (state === null ? [] : [[position, state]])),
  );
  // Most pages are full because of their number of events, not of their size.
  const batch = foldBatch(from, rows, { places, states, more: rows.length > MOST_ROLLED.events / 2 });
  return batch ?? readDueScores(queries, from);
}

/** Conversations whose scores have changed, once the log is counted. */
async function readDueScores(queries: Queries, from: number): Promise<RollupBatch | null> {
  const due = await queries.rows<DueRow>(DUE);
  if (due.length === 0) return null;
  const read: DueScores[] = [];
  for (const { conversation, change, state, id } of due) {
    const reads = dueReads(id, raw(`${jsonIn("payload")} ->> 'agent_version'`));
    const scores = await select<RolledScore>(queries, reads.scores);
    const has = hasPlaces(scores);
    read.push({
      ...{ conversation, change, state, scores, before: await readKnownParts(queries, conversation) },
      runs: has.runs ? await select<ScoredRun>(queries, reads.runs) : [],
      calls: has.calls ? await select<ScoredCall>(queries, reads.calls) : [],
    });
  }
  return countScores(from, read);
}

/** How many events the rollup lacks, counted up to 10,000. */
export async function countUnrolled(queries: Queries): Promise<number> {
  const [row] = await queries.rows<{ count: number }>(
    `SELECT count(*) FROM (SELECT 1 FROM events WHERE position > $1 AND ${IS_SEEN} LIMIT ${MOST_UNROLLED}) AS unrolled`,
    [await readRollupProgress(queries)],
  );
  return row?.count ?? 0;
}

/** Conversations whose scores have changed since the rollup counted them. */
export async function countDue(queries: Queries): Promise<number> {
  const [row] = await queries.rows<{ count: number }>(COUNT_DUE);
  return row?.count ?? 0;
}

export async function readRollupProgress(queries: Queries): Promise<number> {
  const [row] = await queries.rows<{ position: number }>("SELECT position FROM rollup_progress");
  return row?.position ?? -1;
}

async function countAgain(queries: Queries, from: number, conversation: number): Promise<RollupBatch> {
  const again = new CountedAgain();
  for (let after = 0; ; ) {
    const rows = await queries.rows<RolledRow>(
      `SELECT ${ROLLED_COLUMNS} FROM events
       WHERE conversation_id = (SELECT id FROM conversations WHERE position = $1) AND position BETWEEN 0 AND $2 AND seq > $3
       ORDER BY seq LIMIT ${MOST_ROLLED.events}`,
      [conversation, from, after],
    );
    again.take(rows);
    const last = rows.at(-1);
    if (!last) break;
    after = last.seq;
  }
  return again.end(from, conversation, await readKnownParts(queries, conversation));
}

/** What a conversation has added to cells. */
export async function readKnownParts(queries: Queries, conversation: number): Promise<PlacedPart[]> {
  const rows = await queries.rows<PartRow>(
    `SELECT ${PART_COLUMNS} FROM rollup_parts JOIN rollup_series ON rollup_series.id = rollup_parts.series WHERE conversation = $1`,
    [conversation],
  );
  return rows.map(toPart);
}
