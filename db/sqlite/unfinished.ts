import type { Connection } from "./connection.ts";

/**
 * The row of the import that is being stored, in the table of unfinished forks: it has no conversation, and all events
 * from its position belong to it. There is one at most.
 */
export const IMPORT = "";

/** Events visible to readers that follow the log: without those of an incomplete import (E11). */
export const IS_SEEN = `position < coalesce((SELECT position FROM unfinished_forks WHERE conversation_id = ''), ${Number.MAX_SAFE_INTEGER})`;

/** Events of complete forks and imports. */
export const IS_FINISHED = `${IS_SEEN} AND coalesce(conversation_id, '') NOT IN
  (SELECT conversation_id FROM unfinished_forks WHERE conversation_id <> '')`;

/** Removes interrupted forks and imports (E9, E11). */
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
