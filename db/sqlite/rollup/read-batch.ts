import type { PlacedPart } from "../../../lib/rollup/fold.ts";
import type { RolledScore, ScoredCall, ScoredRun } from "../../../lib/rollup/score-parts.ts";
import { IS_SEEN } from "../../log/unfinished.ts";
import { type Sql, sql } from "../../queries/sql.ts";
import {
  CountedAgain,
  countScores,
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
import type { Connection } from "../connection.ts";

/** The next batch of the log that the rollup does not have, or a conversation that has to be counted again. Null: it has all. */
export function readRollupBatch(connection: Connection): RollupBatch | null {
  const from = readRollupProgress(connection);
  const again = connection
    .prepare<[], number>("SELECT conversation FROM rollup_states WHERE state IS NULL LIMIT 1")
    .pluck()
    .get();
  if (again !== undefined) return countAgain(connection, from, again);
  const rows: RolledRow[] = [];
  let payload = 0;
  const log = connection.prepare<[number], RolledRow>(
    `SELECT ${ROLLED_COLUMNS} FROM events WHERE position > ? AND ${IS_SEEN} ORDER BY position`,
  );
  let more = false;
  for (const row of log.iterate(from)) {
    rows.push(row);
    payload += row.payload.length;
    more = rows.length >= MOST_ROLLED.events || payload >= MOST_ROLLED.payload;
    if (more) break;
  }
  const place = connection.prepare<[string | null], number>("SELECT position FROM conversations WHERE id = ?").pluck();
  const state = connection.prepare<[number], string>("SELECT state FROM rollup_states WHERE conversation = ?").pluck();
  const places = new Map<string, number>();
  const states = new Map<number, string>();
  for (const id of new Set(rows.map(({ conversation_id }) => conversation_id))) {
    const found = place.get(id);
    if (id === null || found === undefined) continue;
    places.set(id, found);
    const known = state.get(found);
    if (known !== undefined) states.set(found, known);
  }
  return foldBatch(from, rows, { places, states, more }) ?? readDueScores(connection, from);
}

/** How many events the rollup lacks, counted up to 10,000. */
export function countUnrolled(connection: Connection): number {
  const counted = connection
    .prepare<[number], number>(
      `SELECT count(*) FROM (SELECT 1 FROM events WHERE position > ? AND ${IS_SEEN} LIMIT ${MOST_UNROLLED})`,
    )
    .pluck()
    .get(readRollupProgress(connection));
  return counted ?? 0;
}

/** Conversations whose scores have changed since the rollup counted them. */
export function countDue(connection: Connection): number {
  return connection.prepare<[], number>(COUNT_DUE).pluck().get() ?? 0;
}

/** The position up to which the log is in the rollup. */
export function readRollupProgress(connection: Connection): number {
  return connection.prepare<[], number>("SELECT position FROM rollup_progress").pluck().get() ?? -1;
}

/** Conversations whose scores have changed, once the log is counted. */
function readDueScores(connection: Connection, from: number): RollupBatch | null {
  const due = connection.prepare<[], DueRow>(DUE).all();
  if (due.length === 0) return null;
  const knownParts = prepareKnownParts(connection);
  const read = <Row>({ text, values }: Sql) => connection.prepare<unknown[], Row>(text).all(...values);
  return countScores(
    from,
    due.map(({ conversation, change, state, id }) => {
      const reads = dueReads(id, sql`payload ->> 'agent_version'`);
      const scores = read<RolledScore>(reads.scores);
      const has = hasPlaces(scores);
      return {
        ...{ conversation, change, state, scores, before: knownParts(conversation) },
        runs: has.runs ? read<ScoredRun>(reads.runs) : [],
        calls: has.calls ? read<ScoredCall>(reads.calls) : [],
      };
    }),
  );
}

function countAgain(connection: Connection, from: number, conversation: number): RollupBatch {
  const again = new CountedAgain();
  const page = connection.prepare<[number, number, number], RolledRow>(
    `SELECT ${ROLLED_COLUMNS} FROM events
     WHERE conversation_id = (SELECT id FROM conversations WHERE position = ?) AND position BETWEEN 0 AND ? AND seq > ?
     ORDER BY seq LIMIT ${MOST_ROLLED.events}`,
  );
  for (let after = 0; ; ) {
    const rows = page.all(conversation, from, after);
    again.take(rows);
    const last = rows.at(-1);
    if (!last) break;
    after = last.seq;
  }
  return again.end(from, conversation, prepareKnownParts(connection)(conversation));
}

/** Reads what a conversation has added to cells. */
export function prepareKnownParts(connection: Connection): (conversation: number) => PlacedPart[] {
  const parts = connection.prepare<[number], PartRow>(
    `SELECT ${PART_COLUMNS} FROM rollup_parts JOIN rollup_series ON rollup_series.id = rollup_parts.series WHERE conversation = ?`,
  );
  return (conversation) => parts.all(conversation).map(toPart);
}
