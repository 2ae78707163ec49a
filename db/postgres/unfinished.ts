import { IMPORT } from "../log/unfinished.ts";
import { placesOf } from "../search/search-place.ts";
import type { Queries } from "./database.ts";
import type { PostgresWriter } from "./log/writer.ts";

// How many events are removed at a time, between other writes.
const A_PART = 1_000;

/** Removes what forks, an import and the retention left behind whose replica has ended (E9, E11). */
export async function removeUnfinished(database: Queries, writer: PostgresWriter): Promise<void> {
  // Most times there is nothing to look at under the log's lock.
  const others = await database.rows("SELECT 1 FROM unfinished_forks WHERE owner <> $1 LIMIT 1", [writer.owner]);
  if (others.length === 0) return;
  while (await writer.submitDirectPart((queries) => removePart(queries, writer.owner))) {
    // Other writes come in between.
  }
}

/** Whether there may be more. */
async function removePart(queries: Queries, owner: number): Promise<boolean> {
  const [left] = await queries.rows<{ conversation_id: string; position: number }>(
    "SELECT conversation_id, position FROM unfinished_forks WHERE owner <> $1 AND pg_try_advisory_xact_lock(owner) LIMIT 1",
    [owner],
  );
  if (!left) return false;
  if (left.conversation_id === IMPORT) await removeImportPart(queries, left.position);
  else await removeHistoryPart(queries, left.conversation_id, left.position);
  return true;
}

async function removeImportPart(queries: Queries, first: number): Promise<void> {
  const [newest] = await queries.rows<{ position: number | null }>("SELECT max(position) AS position FROM events");
  const from = Math.max(first, (newest?.position ?? 0) - A_PART + 1);
  for (const table of ["messages", "events"]) await queries.run(`DELETE FROM ${table} WHERE position >= $1`, [from]);
  if (from === first) await queries.run("DELETE FROM unfinished_forks WHERE conversation_id = $1", [IMPORT]);
}

/**
 * Removes what the search has of a conversation that nobody sees any more, or not yet, and then its newest events; whether all
 * are removed. `position` is that of its row.
 */
export async function removeHistoryPart(queries: Queries, id: string, position: number): Promise<boolean> {
  const searched = await queries.run(
    "DELETE FROM event_search WHERE place IN (SELECT place FROM event_search WHERE place BETWEEN $1 AND $2 LIMIT $3)",
    [...placesOf(position), A_PART],
  );
  if (searched === A_PART) return false;
  const [row] = await queries.rows<{ seq: number | null }>(
    "SELECT max(seq) AS seq FROM events WHERE conversation_id = $1",
    [id],
  );
  const after = Math.max(0, (row?.seq ?? 0) - A_PART);
  await queries.run(KEEP_STATES, [id, after]);
  await queries.run(FORGET_RUN_OWNERS, [id, after]);
  for (const table of ["messages", "snapshots", "timeline_chunks", "events"])
    await queries.run(`DELETE FROM ${table} WHERE conversation_id = $1 AND seq > $2`, [id, after]);
  if (after > 0) return false;
  await queries.run("DELETE FROM unfinished_forks WHERE conversation_id = $1", [id]);
  await queries.run("DELETE FROM closed_conversations WHERE conversation_id = $1 AND closed_for = 'retention'", [id]);
  return true;
}

// Agents' state outlives its conversation, in which a fork's history has copies. Steps without a conversation are all of step 0.
const KEEP_STATES = `UPDATE events SET conversation_id = NULL, seq = 0
  WHERE conversation_id = $1 AND seq > $2 AND position >= 0 AND type IN ('agent_state.written', 'agent_state.deleted')`;

const FORGET_RUN_OWNERS = `DELETE FROM run_owners WHERE run_id IN (SELECT run_id FROM events
  WHERE conversation_id = $1 AND seq > $2 AND type = 'run.started' AND origin = 'engine')`;
