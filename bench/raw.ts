import type { ConversationValues, EventValues, MessageValues } from "../db/log/writes.ts";
import { openForReading, openForWriting } from "../db/sqlite/connection.ts";
import { prepareWrites } from "../db/sqlite/log/statements.ts";
import { migrateDatabase } from "../db/sqlite/migrate.ts";

/** `followers` is what SQLite has beside the values. */
type EventRow = [...EventValues, followers: number | null];

/** Rows of a database, as parameters of their statements. */
export interface Rows {
  events: EventRow[];
  /** By position. */
  messages: Map<number, MessageValues>;
  /** By id. */
  conversations: Map<string, ConversationValues>;
}

/** Reads the newest rows that a server has written. */
export function readRows(file: string, newest: number): Rows {
  const connection = openForReading(file);
  const all = <T extends unknown[]>(table: string, limit: string) =>
    connection.prepare<[], T>(`SELECT * FROM ${table} ${limit}`).raw().all();
  const events = all<EventRow>("events", `ORDER BY position DESC LIMIT ${newest}`).reverse();
  const messages = all<MessageValues>("messages", `WHERE position >= ${events[0]?.[0] ?? 0}`);
  const conversations = all<ConversationValues>("conversations", "");
  connection.close();
  return {
    events,
    messages: new Map(messages.map((row) => [row[0], row])),
    conversations: new Map(conversations.map((row) => [row[1], row])),
  };
}

/**
 * Writes the same rows into the same tables and indexes: prepared statements, one transaction per batch, each
 * conversation's row saved once in it. Returns the seconds it took.
 */
export function writeRaw(file: string, { events, messages, conversations }: Rows, batch: number): number {
  const connection = openForWriting(file, "full");
  migrateDatabase(connection);
  const writes = prepareWrites(connection);
  const insertEvent = connection.prepare<EventRow>(`INSERT INTO events VALUES (${Array(20).fill("?").join(", ")})`);
  const started = performance.now();
  for (let from = 0; from < events.length; from += batch) {
    const touched = new Set<ConversationValues>();
    connection.exec("BEGIN IMMEDIATE");
    for (const event of events.slice(from, from + batch)) {
      insertEvent.run(...event);
      const message = messages.get(event[0]);
      if (message) writes.insertMessage.run(...message);
      const conversation = conversations.get(event[2] ?? "");
      if (conversation) touched.add(conversation);
    }
    for (const conversation of touched) writes.saveConversation.run(...conversation);
    connection.exec("COMMIT");
  }
  const seconds = (performance.now() - started) / 1000;
  connection.close();
  return seconds;
}
