import type { Renames } from "../../../lib/session/erasure/erasure.ts";
import { deleteErasedState } from "../../erasure/end-open.ts";
import type { Transaction } from "../../log/transaction.ts";
import type { Connection } from "../connection.ts";
import type { Writer } from "../log/writer.ts";

interface Entry {
  agent_id: string;
  key: string;
}

/** Updates agent state after the events that wrote it were erased. */
export function createStateEraser(connection: Connection, writer: Writer) {
  const statements = prepareStatements(connection);
  return {
    /**
     * Renames and empties the entries that these events wrote, and deletes those whose newest version they are. Returns
     * the positions of the deletions.
     */
    settle(positions: readonly number[], renames: Renames): Promise<number[]> {
      const erased = JSON.stringify(positions);
      return writer.submit((transaction) =>
        statements.entries.all({ erased }).flatMap((entry) => settle(transaction, entry, erased, renames)),
      );
    },
  };

  function settle(transaction: Transaction, entry: Entry, erased: string, renames: Renames): number[] {
    const moved = { agent_id: renames.agent(entry.agent_id), key: renames.key(entry.key) };
    const place = { ...entry, erased };
    const newest = statements.newest.get(place);
    if (!newest) throw new Error("An entry of agents' state has no version");
    if (moved.agent_id !== entry.agent_id || moved.key !== entry.key) {
      statements.move.run({ ...place, to_agent_id: moved.agent_id, to_key: moved.key });
      if (statements.rest.get(entry) === undefined) statements.remove.run(entry);
      statements.save.run({ ...moved, ...newest });
    } else if (statements.current.get(entry) === newest.version) statements.save.run({ ...moved, ...newest });
    else return [];
    return newest.value === null ? [] : [deleteErasedState(transaction, moved)];
  }
}

function prepareStatements(connection: Connection) {
  const isErased = "position IN (SELECT value FROM json_each(:erased))";
  return {
    entries: connection.prepare<[{ erased: string }], Entry>(
      `SELECT DISTINCT agent_id, key FROM agent_state_versions WHERE ${isErased}`,
    ),
    newest: connection.prepare<
      [Entry & { erased: string }],
      { version: number; value: string | null; updated_at: number }
    >(
      `SELECT version, CASE type WHEN 'agent_state.written' THEN 'null' END AS value, recorded_at AS updated_at
       FROM agent_state_versions JOIN events USING (position)
       WHERE agent_state_versions.agent_id = :agent_id AND key = :key AND ${isErased} ORDER BY version DESC LIMIT 1`,
    ),
    current: connection
      .prepare<[Entry], number>("SELECT version FROM agent_state WHERE agent_id = :agent_id AND key = :key")
      .pluck(),
    move: connection.prepare<[Entry & { erased: string; to_agent_id: string; to_key: string }]>(
      `UPDATE agent_state_versions SET agent_id = :to_agent_id, key = :to_key
       WHERE agent_id = :agent_id AND key = :key AND ${isErased}`,
    ),
    rest: connection
      .prepare<[Entry], 1>("SELECT 1 FROM agent_state_versions WHERE agent_id = :agent_id AND key = :key LIMIT 1")
      .pluck(),
    remove: connection.prepare<[Entry]>("DELETE FROM agent_state WHERE agent_id = :agent_id AND key = :key"),
    save: connection.prepare<[Entry & { version: number; value: string | null; updated_at: number }]>(
      `INSERT INTO agent_state (agent_id, key, value, version, updated_at) VALUES (:agent_id, :key, :value, :version, :updated_at)
       ON CONFLICT (agent_id, key) DO UPDATE SET value = excluded.value, version = excluded.version, updated_at = excluded.updated_at`,
    ),
  };
}
