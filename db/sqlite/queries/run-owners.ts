import type { LogWriter } from "../../log/log-writer.ts";
import { runOwnerWrites } from "../../log/run-owners.ts";
import { AWAITED, type AwaitedRow, toAwaited } from "../../queries/awaited-row.ts";
import type { RunOwners } from "../../repositories.ts";
import type { Connection } from "../connection.ts";

/** Who carries runs on. One process opens the file, which needs none of this: the same rules hold, and the same tests run. */
export function createRunOwners(connection: Connection, writer: LogWriter): RunOwners {
  const next = connection
    .prepare<[string], string>(
      `SELECT run_owners.run_id FROM run_owners JOIN events USING (run_id)
       WHERE key = ? AND ready = 1 AND events.type = 'run.started' AND events.origin = 'engine'
       ORDER BY position LIMIT 1`,
    )
    .pluck();
  const awaited = connection.prepare<[string], AwaitedRow>(`${AWAITED} AND run_owners.key = ?`);
  const awaits = connection.prepare<[string, string], 1>(
    "SELECT 1 FROM confirmations WHERE conversation_id = ? AND own = 1 AND status = 'requested' AND run_id <> ?",
  );
  const isKnown = connection.prepare<[string], 1>("SELECT 1 FROM run_owners WHERE run_id = ?").pluck();
  return {
    ...runOwnerWrites(writer),
    next: async (key) => next.get(key) ?? null,
    awaited: async (key) => awaited.all(key).map(toAwaited),
    awaits: async (...asked) => awaits.get(...asked) !== undefined,
    unknown: async (runIds) => runIds.filter((id) => isKnown.get(id) === undefined),
  };
}
