import { emptySummary, summarize } from "../../lib/session/summary.ts";
import { type Connection, openForReading } from "./connection.ts";
import { EVENT_COLUMNS, type EventRow, toEvent } from "./event-row.ts";
import { owedBy, type Projection, settle } from "./owed.ts";
import { projectMessage, projectStanding, saveConversation } from "./projections.ts";
import { prepareWrites, type Writes } from "./statements.ts";

/** How much was rebuilt, and of how much. */
export interface Rebuilt {
  conversations: number;
  events: number;
}

/** Makes projections of a database anew from its log (E4), in one transaction; `search` is filled by the server. */
export function rebuildProjections(writing: Connection, projections: readonly Projection[]): Rebuilt {
  // SQLite does not let a connection write while it goes through a query.
  const reading = openForReading(writing.name);
  try {
    return writing.transaction(() => {
      const rebuild = prepareRebuild(writing, reading);
      for (const projection of projections) rebuild[projection]();
      writing.exec("DELETE FROM snapshots");
      settle(writing);
      return countLog(reading);
    })();
  } finally {
    reading.close();
  }
}

/** Makes anew what migrations owe. */
export function rebuildOwed(connection: Connection): void {
  const owed = owedBy(connection);
  if (owed.length > 0) rebuildProjections(connection, owed);
}

function prepareRebuild(writing: Connection, reading: Connection): Record<Projection, () => void> {
  const writes = prepareWrites(writing);
  return {
    messages() {
      writing.exec("DELETE FROM messages");
      for (const row of log(reading, "type = 'message.created'")) projectMessage(writes, toEvent(row));
    },
    standing() {
      writing.exec(
        "DELETE FROM agent_state; DELETE FROM agent_state_versions; DELETE FROM confirmations; DELETE FROM alerts",
      );
      // In the order of the whole log: all conversations together make the agents' state.
      for (const row of log(reading, "position >= 0")) projectStanding(writes, toEvent(row), row.own === 1);
    },
    conversations() {
      writing.exec("DELETE FROM conversations");
      writing.exec("INSERT INTO conversation_search (conversation_search) VALUES ('delete-all')");
      foldConversations(writes, reading);
    },
    search() {
      writing.exec("INSERT INTO event_search (event_search) VALUES ('delete-all'); DELETE FROM search_progress");
    },
  };
}

function log(reading: Connection, condition: string): IterableIterator<EventRow & { own: 0 | 1 }> {
  return reading
    .prepare<[], EventRow & { own: 0 | 1 }>(
      `SELECT ${EVENT_COLUMNS}, origin IS 'engine' AS own FROM events WHERE ${condition} ORDER BY position`,
    )
    .iterate();
}

function foldConversations(writes: Writes, reading: Connection): void {
  const steps = reading.prepare<[string], EventRow>(
    `SELECT ${EVENT_COLUMNS} FROM events WHERE conversation_id = ? ORDER BY seq`,
  );
  const conversations = reading
    .prepare<[], { id: string; position: number }>(
      `SELECT conversation_id AS id, min(position) AS position FROM events
       WHERE conversation_id IS NOT NULL GROUP BY conversation_id`,
    )
    .iterate();
  for (const { id, position } of conversations) {
    let summary = emptySummary();
    for (const row of steps.iterate(id)) summary = summarize(summary, toEvent(row));
    saveConversation(writes, id, position, summary);
  }
}

function countLog(reading: Connection): Rebuilt {
  const counted = reading
    .prepare<[], Rebuilt>("SELECT count(DISTINCT conversation_id) AS conversations, count(*) AS events FROM events")
    .get();
  if (!counted) throw new Error("The log could not be counted");
  return counted;
}
