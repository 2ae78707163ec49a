import type { LogWriter } from "../../log/log-writer.ts";
import { runOwnerWrites } from "../../log/run-owners.ts";
import { AWAITED, type AwaitedRow, toAwaited } from "../../queries/awaited-row.ts";
import type { RunOwners } from "../../repositories.ts";
import type { Queries } from "../database.ts";

/** Who carries runs on. */
export function createRunOwners(queries: Queries, writer: LogWriter): RunOwners {
  return {
    ...runOwnerWrites(writer),
    async next(key) {
      const [run] = await queries.rows<{ run_id: string }>(
        `SELECT run_owners.run_id FROM run_owners JOIN events USING (run_id)
         WHERE key = $1 AND ready = 1 AND events.type = 'run.started' AND events.origin = 'engine'
         ORDER BY position LIMIT 1`,
        [key],
      );
      return run?.run_id ?? null;
    },
    async awaited(key) {
      return (await queries.rows<AwaitedRow>(`${AWAITED} AND run_owners.key = $1`, [key])).map(toAwaited);
    },
    async awaits(conversationId, otherThan) {
      const found = await queries.rows(
        `SELECT 1 FROM confirmations WHERE conversation_id = $1 AND own = 1 AND status = 'requested' AND run_id <> $2 LIMIT 1`,
        [conversationId, otherThan],
      );
      return found.length > 0;
    },
    async unknown(runIds) {
      const known = await queries.rows<{ run_id: string }>("SELECT run_id FROM run_owners WHERE run_id = ANY($1)", [
        runIds,
      ]);
      const ids = new Set(known.map(({ run_id }) => run_id));
      return runIds.filter((id) => !ids.has(id));
    },
  };
}
