import type { Connection } from "./connection.ts";

/** Removes what forks and an import left behind that were cut off by the end of the process (E9, E11). */
export function removeUnfinished(connection: Connection): void {
  const events = `(position >= (SELECT position FROM unfinished_forks WHERE conversation_id = '')
    OR conversation_id IN (SELECT conversation_id FROM unfinished_forks))`;
  connection.transaction(() => {
    if (!connection.prepare("SELECT 1 FROM unfinished_forks").get()) return;
    connection.exec(`
      DELETE FROM messages WHERE ${events};
      DELETE FROM snapshots WHERE conversation_id IN (SELECT conversation_id FROM unfinished_forks);
      DELETE FROM timeline_chunks WHERE conversation_id IN (SELECT conversation_id FROM unfinished_forks);
      DELETE FROM events WHERE ${events};
      DELETE FROM unfinished_forks;
    `);
  })();
}
