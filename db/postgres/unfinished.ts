import { IMPORT } from "../log/unfinished.ts";
import type { Database } from "./database.ts";
import { LOCKS } from "./locks.ts";

/** Removes what forks and an import left behind whose replica has ended (E9, E11). */
export async function removeUnfinished(database: Database): Promise<void> {
  const session = await database.connect();
  try {
    await session.run("BEGIN");
    await session.rows("SELECT pg_advisory_xact_lock($1)", [LOCKS.log]);
    const left = await session.rows<{ conversation_id: string; position: number }>(
      "SELECT conversation_id, position FROM unfinished_forks WHERE pg_try_advisory_xact_lock(owner)",
    );
    for (const { conversation_id, position } of left) {
      const isImport = conversation_id === IMPORT;
      for (const table of isImport ? ["messages", "events"] : ["messages", "snapshots", "timeline_chunks", "events"])
        await session.run(
          isImport ? `DELETE FROM ${table} WHERE position >= $1` : `DELETE FROM ${table} WHERE conversation_id = $1`,
          [isImport ? position : conversation_id],
        );
      await session.run("DELETE FROM unfinished_forks WHERE conversation_id = $1", [conversation_id]);
    }
    await session.run("COMMIT");
  } finally {
    await session.close();
  }
}
