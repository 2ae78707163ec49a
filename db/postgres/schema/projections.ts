import { index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytes, integer, key, words } from "./column-types.ts";

export const searchProgress = pgTable("search_progress", {
  id: integer("id").primaryKey(),
  position: integer("position").notNull(),
  history: integer("history").notNull(),
});

/** The index of the search (E14); a place is that of `db/search/search-place.ts`. */
export const eventSearch = pgTable(
  "event_search",
  { place: integer("place").primaryKey(), words: words("words").notNull() },
  (table) => [index("events_by_word").using("gin", table.words)],
);

export const snapshots = pgTable(
  "snapshots",
  {
    conversationId: key("conversation_id").notNull(),
    seq: integer("seq").notNull(),
    reducerVersion: integer("reducer_version").notNull(),
    session: bytes("session").notNull(),
  },
  (table) => [primaryKey({ columns: [table.conversationId, table.seq] })],
);

export const timelineChunks = pgTable(
  "timeline_chunks",
  {
    conversationId: key("conversation_id").notNull(),
    seq: integer("seq").notNull(),
    version: integer("version").notNull(),
    holds: text("holds").notNull(),
    buckets: text("buckets").notNull(),
    standing: bytes("standing").notNull(),
  },
  (table) => [primaryKey({ columns: [table.conversationId, table.seq] })],
);
