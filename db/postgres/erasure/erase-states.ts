import type { Renames } from "../../../lib/session/erasure/erasure.ts";
import { deleteErasedState } from "../../erasure/end-open.ts";
import type { Queries } from "../database.ts";
import type { DirectWriter } from "../log/writer.ts";

// How many entries are settled at a time: a few statements for each.
const A_PAGE = 20;

interface Entry {
  agent_id: string;
  key: string;
}

interface Newest {
  version: number;
  value: string | null;
  updated_at: number;
}

/**
 * Renames and empties the entries of agent state that erased events wrote, and deletes those whose newest version they are.
 * Gives the positions of the deletions.
 */
export async function settleStates(
  writer: DirectWriter,
  database: Queries,
  positions: readonly number[],
  renames: Renames,
): Promise<number[]> {
  const entries = await database.rows<Entry>(
    "SELECT DISTINCT agent_id, key FROM agent_state_versions WHERE position = ANY($1)",
    [positions],
  );
  const deletions: number[] = [];
  for (let from = 0; from < entries.length; from += A_PAGE) {
    const page = entries.slice(from, from + A_PAGE);
    const emptied = await writer.submitDirect(async (queries) => {
      const settled: Entry[] = [];
      for (const entry of page) settled.push(...(await settle(queries, entry, positions, renames)));
      return settled;
    });
    deletions.push(
      ...(await writer.submit((transaction) =>
        emptied
          .filter(({ agent_id, key }) => transaction.agentState(agent_id, key)?.value === "null")
          .map((entry) => deleteErasedState(transaction, entry)),
      )),
    );
  }
  return deletions;
}

/** Gives the entry under its new name if it is there without content. */
async function settle(
  queries: Queries,
  entry: Entry,
  positions: readonly number[],
  renames: Renames,
): Promise<Entry[]> {
  const { agent_id, key } = entry;
  const moved = { agent_id: renames.agent(agent_id), key: renames.key(key) };
  const [newest] = await queries.rows<Newest>(NEWEST, [agent_id, key, positions]);
  if (!newest) return [];
  if (moved.agent_id !== agent_id || moved.key !== key) {
    await queries.run(MOVE, [agent_id, key, positions, moved.agent_id, moved.key]);
    await queries.run(REMOVE, [agent_id, key]);
  } else {
    const [current] = await queries.rows<{ version: number }>(
      "SELECT version FROM agent_state WHERE agent_id = $1 AND key = $2",
      [agent_id, key],
    );
    if (current?.version !== newest.version) return [];
  }
  await queries.run(SAVE, [moved.agent_id, moved.key, newest.version, newest.value, newest.updated_at]);
  return newest.value === null ? [] : [moved];
}

const NEWEST = `SELECT version, CASE type WHEN 'agent_state.written' THEN 'null' END AS value, recorded_at AS updated_at
  FROM agent_state_versions JOIN events USING (position)
  WHERE agent_state_versions.agent_id = $1 AND key = $2 AND position = ANY($3) ORDER BY version DESC LIMIT 1`;
const MOVE = `UPDATE agent_state_versions SET agent_id = $4, key = $5
  WHERE agent_id = $1 AND key = $2 AND position = ANY($3)`;
const REMOVE = `DELETE FROM agent_state WHERE agent_id = $1 AND key = $2
  AND NOT EXISTS (SELECT 1 FROM agent_state_versions WHERE agent_id = $1 AND key = $2)`;
const SAVE = `INSERT INTO agent_state (agent_id, key, version, value, updated_at) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (agent_id, key) DO UPDATE SET value = excluded.value, version = excluded.version, updated_at = excluded.updated_at`;
