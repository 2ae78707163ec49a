import { emptySummary, summarize } from "../../lib/session/summary.ts";
import { type Connection, openForReading } from "./connection.ts";
import { EVENT_COLUMNS, type EventRow, toEvent } from "./event-row.ts";
import { project, saveConversation } from "./projections.ts";
import { prepareWrites } from "./statements.ts";

/** How much was rebuilt, and of how much. */
export interface Rebuilt {
  conversations: number;
  events: number;
}

/** Makes every projection of a database anew from its log (E4), in one transaction. */
export function rebuildProjections(writing: Connection): Rebuilt {
  // SQLite does not let a connection write while it goes through a query.
  const reading = openForReading(writing.name);
  try {
    return writing.transaction(() => rebuild(writing, reading))();
  } finally {
    reading.close();
  }
}

function rebuild(writing: Connection, reading: Connection): Rebuilt {
  writing.exec(`
    DELETE FROM messages; DELETE FROM conversations; DELETE FROM agent_state; DELETE FROM agent_state_versions;
    DELETE FROM confirmations; DELETE FROM alerts; DELETE FROM snapshots;
    INSERT INTO message_search (message_search) VALUES ('delete-all');
    INSERT INTO conversation_search (conversation_search) VALUES ('delete-all');
  `);
  const writes = prepareWrites(writing);
  const log = reading.prepare<[], EventRow & { own: 0 | 1 }>(
    `SELECT ${EVENT_COLUMNS}, origin IS 'engine' AS own FROM events ORDER BY position`,
  );
  let events = 0;
  // In the order of the whole log: all conversations together make the agents' state.
  for (const row of log.iterate()) {
    project(writes, toEvent(row), row.own === 1);
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
