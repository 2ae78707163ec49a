import { sql } from "drizzle-orm";
import { index, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { integer, key } from "./column-types.ts";

export const bookmarks = pgTable(
  "bookmarks",
  {
    conversationId: key("conversation_id").notNull(),
    seq: integer("seq").notNull(),
    note: text("note"),
    by: text("by"),
    at: integer("at").notNull(),
    setSeq: integer("set_seq").notNull(),
  },
  (table) => [primaryKey({ columns: [table.conversationId, table.seq] })],
);

export const notes = pgTable(
  "notes",
  {
    conversationId: key("conversation_id").notNull(),
    id: key("id").notNull(),
    seq: integer("seq"),
    runId: key("run_id"),
    callId: key("call_id"),
    path: text("path"),
    text: text("text").notNull(),
    mentions: text("mentions").notNull(),
    by: text("by"),
    at: integer("at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.conversationId, table.id] }), uniqueIndex("notes_by_id").on(table.id)],
);

export const queue = pgTable(
  "queue",
  {
    conversationId: key("conversation_id").primaryKey(),
    assignee: key("assignee"),
    dueAt: integer("due_at"),
    snoozedUntil: integer("snoozed_until"),
    resolvedAt: integer("resolved_at"),
    tags: text("tags").notNull(),
  },
  (table) => [index("queue_by_assignee").on(table.assignee).where(sql`assignee IS NOT NULL`)],
);

export const listViews = pgTable(
  "list_views",
  {
    id: key("id").primaryKey(),
    owner: key("owner").notNull(),
    name: key("name").notNull(),
    query: text("query").notNull(),
    shared: integer("shared").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [uniqueIndex("list_views_by_name").on(table.owner, table.name)],
);
