import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/**
 * Bookmarks of steps, with notes. Not a projection: the log has no event for them. `set_seq` is the session's last step
 * when the note was written.
 */
export const bookmarks = sqliteTable(
  "bookmarks",
  {
    conversationId: text("conversation_id").notNull(),
    seq: integer("seq").notNull(),
    note: text("note"),
    by: text("by"),
    at: integer("at").notNull(),
    setSeq: integer("set_seq").notNull(),
  },
  (table) => [primaryKey({ columns: [table.conversationId, table.seq] })],
);

/** Notes about conversations, or about a step, a call or a path of the state; not a projection. `mentions` is a JSON array of names. */
export const notes = sqliteTable(
  "notes",
  {
    conversationId: text("conversation_id").notNull(),
    id: text("id").notNull(),
    seq: integer("seq"),
    runId: text("run_id"),
    callId: text("call_id"),
    path: text("path"),
    text: text("text").notNull(),
    mentions: text("mentions").notNull(),
    by: text("by"),
    at: integer("at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.conversationId, table.id] }), uniqueIndex("notes_by_id").on(table.id)],
);

/** What people do about conversations; not a projection. `tags` has each tag between line breaks. */
export const queue = sqliteTable(
  "queue",
  {
    conversationId: text("conversation_id").primaryKey(),
    assignee: text("assignee"),
    dueAt: integer("due_at"),
    snoozedUntil: integer("snoozed_until"),
    resolvedAt: integer("resolved_at"),
    tags: text("tags").notNull(),
  },
  (table) => [index("queue_by_assignee").on(table.assignee).where(sql`assignee IS NOT NULL`)],
);

/** Views of the list that people saved (`db/views.ts`). `query` is the search part of the list's address; `shared` is 1 or 0. */
export const listViews = sqliteTable(
  "list_views",
  {
    id: text("id").primaryKey(),
    owner: text("owner").notNull(),
    name: text("name").notNull(),
    query: text("query").notNull(),
    shared: integer("shared").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [uniqueIndex("list_views_by_name").on(table.owner, table.name)],
);
