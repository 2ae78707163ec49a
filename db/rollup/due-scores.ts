import type { RolledScore } from "../../lib/rollup/score-parts.ts";
import { type Sql, sql } from "../queries/sql.ts";
import { MOST_DUE, MOST_UNROLLED } from "./batch.ts";

/** A conversation whose scores are to be counted, with its state in the rollup. */
export interface DueRow {
  conversation: number;
  change: number;
  state: string;
  id: string;
}

/** The next of them. Those that the rollup has not reached in the log wait until it has. */
export const DUE = `SELECT rollup_due.conversation, change, state, id FROM rollup_due
  JOIN rollup_states ON rollup_states.conversation = rollup_due.conversation AND state IS NOT NULL
  JOIN conversations ON position = rollup_due.conversation
  ORDER BY rollup_due.conversation LIMIT ${MOST_DUE}`;

/** How many there are, as far as it is counted. */
export const COUNT_DUE = `SELECT count(*) AS count FROM (SELECT 1 FROM rollup_due LIMIT ${MOST_UNROLLED}) AS counted`;

/** What is read of each: its scores, and the runs and calls that they are about. `version` takes a field out of a payload. */
export function dueReads(id: string, version: Sql): { scores: Sql; runs: Sql; calls: Sql } {
  const runOfStep = sql`(SELECT run_id FROM events WHERE events.conversation_id = scores.conversation_id AND events.seq = scores.seq)`;
  const runs = sql`SELECT coalesce(run_id, ${runOfStep}) FROM scores WHERE conversation_id = ${id}`;
  return {
    scores: sql`SELECT name, kind, value, coalesce(run_id, ${runOfStep}) AS run_id, call_id FROM scores
      WHERE conversation_id = ${id}`,
    runs: sql`SELECT run_id, agent_id, ${version} AS version, coalesce(occurred_at, recorded_at) AS at FROM events
      WHERE conversation_id = ${id} AND type = 'run.started' AND run_id IN (${runs})`,
    calls: sql`SELECT DISTINCT run_id, call_id, tool FROM events
      WHERE conversation_id = ${id} AND type = 'call.started'
        AND call_id IN (SELECT call_id FROM scores WHERE conversation_id = ${id})`,
  };
}

/** Which scores are about more than the whole conversation. */
export function hasPlaces(scores: readonly RolledScore[]): { runs: boolean; calls: boolean } {
  return { runs: scores.some(({ run_id }) => run_id !== null), calls: scores.some(({ call_id }) => call_id !== null) };
}

/** Marks the conversation of this id; the value is it. */
export const MARK_DUE = `INSERT INTO rollup_due (conversation, change) SELECT position, 1 FROM conversations WHERE id = ?
  ON CONFLICT (conversation) DO UPDATE SET change = rollup_due.change + 1`;

/** Marks a conversation that was not counted before, if it has scores. */
export const MARK_NEW = `INSERT INTO rollup_due (conversation, change) SELECT position, 1 FROM conversations
  WHERE position = ? AND EXISTS (SELECT 1 FROM scores WHERE conversation_id = conversations.id)
  ON CONFLICT (conversation) DO NOTHING`;

/** The parts of a conversation that are of scores. */
export const REMOVE_SCORE_PARTS = `DELETE FROM rollup_parts
  WHERE conversation = ? AND series IN (SELECT id FROM rollup_series WHERE kind = 'score')`;
