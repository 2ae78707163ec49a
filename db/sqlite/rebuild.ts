import { existsSync } from "node:fs";
import { join } from "node:path";
import { emptySummary, summarize } from "../../lib/session/summary.ts";
import { type Connection, openForReading, openForWriting } from "./connection.ts";
import { lockDataDir } from "./data-dir-lock.ts";
import { EVENT_COLUMNS, type EventRow, toEvent } from "./event-row.ts";
import { migrateDatabase } from "./migrate.ts";
import { DATABASE_FILE } from "./open.ts";
import { project, saveConversation } from "./projections.ts";
import { prepareWrites } from "./statements.ts";

/** How much was rebuilt, and of how much. */
export interface Rebuilt {
  conversations: number;
  events: number;
}

/**
 * Makes every projection of a data directory anew from its log (E4): conversations, messages, search and agent state;
 * snapshots are dropped and come again by themselves. One transaction. Null: there is no database. Throws `DataDirLocked`
 * while a server runs on it, `NewerDatabase` or `WrongRuntime`.
 */
export async function rebuildDataDir(dataDir: string): Promise<Rebuilt | null> {
  const file = join(dataDir, DATABASE_FILE);
  if (!existsSync(file)) return null;
  const lock = lockDataDir(dataDir);
  try {
    const writing = openForWriting(file, "full");
    migrateDatabase(writing);
    // SQLite does not let a connection write while it goes through a query.
    const reading = openForReading(file);
    const rebuilt = writing.transaction(() => rebuild(writing, reading))();
    reading.close();
    writing.close();
    return rebuilt;
  } finally {
    lock.release();
  }
}

function rebuild(writing: Connection, reading: Connection): Rebuilt {
  writing.exec(`
    DELETE FROM messages; DELETE FROM conversations; DELETE FROM agent_state; DELETE FROM snapshots;
    INSERT INTO message_search (message_search) VALUES ('delete-all');
    INSERT INTO conversation_search (conversation_search) VALUES ('delete-all');
  `);
  const writes = prepareWrites(writing);
  const log = reading.prepare<[], EventRow>(`SELECT ${EVENT_COLUMNS} FROM events ORDER BY position`);
  let events = 0;
  // In the order of the whole log: all conversations together make the agents' state.
  for (const row of log.iterate()) {
    project(writes, toEvent(row));
    events += 1;
  }
  const steps = reading.prepare<[string], EventRow>(
    `SELECT ${EVENT_COLUMNS} FROM events WHERE conversation_id = ? ORDER BY seq`,
  );
  const conversations = reading
    .prepare<[], { id: string; position: number }>(
      `SELECT conversation_id AS id, min(position) AS position FROM events
       WHERE conversation_id IS NOT NULL GROUP BY conversation_id`,
    )
    .all();
  for (const { id, position } of conversations) {
    let summary = emptySummary();
    for (const row of steps.iterate(id)) summary = summarize(summary, toEvent(row));
    saveConversation(writes, id, position, summary);
  }
  return { conversations: conversations.length, events };
}
