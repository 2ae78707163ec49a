import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * The progress of the search index (E14): all events up to `position`, and of the history of the fork after it (E9),
 * the steps up to `history`. One row; none before the first event. The index itself is `event_search`, which Drizzle
 * cannot describe.
 */
export const searchProgress = sqliteTable("search_progress", {
  id: integer("id").primaryKey(),
  position: integer("position").notNull(),
  history: integer("history").notNull(),
});

/** Snapshots of sessions, from which views are reduced (E8): deflated JSON. Dropped when the reducer changes. */
export const snapshots = sqliteTable(
  "snapshots",
  {
    conversationId: text("conversation_id").notNull(),
    seq: integer("seq").notNull(),
    reducerVersion: integer("reducer_version").notNull(),
    session: blob("session").notNull(),
  },
  (table) => [primaryKey({ columns: [table.conversationId, table.seq] })],
);

/**
 * Chunks of the timelines of long sessions (E8): their `buckets` (JSON), the types and runs in them (`holds`, one per
 * line), and the state after them (`standing`: deflated JSON). `seq` is that of the last step. Dropped when the
 * timeline's reducer changes.
 */
export const timelineChunks = sqliteTable(
  "timeline_chunks",
  {
    conversationId: text("conversation_id").notNull(),
    seq: integer("seq").notNull(),
    version: integer("version").notNull(),
    holds: text("holds").notNull(),
    buckets: text("buckets").notNull(),
    standing: blob("standing").notNull(),
  },
  (table) => [primaryKey({ columns: [table.conversationId, table.seq] })],
);
