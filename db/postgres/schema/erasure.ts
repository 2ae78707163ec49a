import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { integer, key } from "./column-types.ts";

/** Conversations that take no events while an erasure (`erasure`) or the retention (`retention`) removes them. */
export const closedConversations = pgTable(
  "closed_conversations",
  {
    conversationId: key("conversation_id").notNull(),
    closedFor: text("closed_for").notNull(),
  },
  (table) => [primaryKey({ columns: [table.conversationId, table.closedFor] })],
);

/**
 * When conversations were erased, by id and by position, in numbers that grow: what was read before that must not be stored.
 * The rows are removed when the erasure ends, and what was read before the number `floor` may be of any of them.
 */
export const erasedConversations = pgTable("erased_conversations", {
  name: key("name").primaryKey(),
  epoch: integer("epoch").notNull(),
});

/** One row: the newest of these numbers. */
export const erasureEpoch = pgTable("erasure_epoch", {
  id: integer("id").primaryKey(),
  epoch: integer("epoch").notNull(),
  floor: integer("floor").notNull(),
});

export const erasures = pgTable("erasures", {
  id: key("id").primaryKey(),
  kind: text("kind").notNull(),
  target: text("target"),
  reason: text("reason"),
  scope: text("scope"),
  receipt: text("receipt").notNull(),
  phase: text("phase").notNull(),
  conversations: integer("conversations").notNull().default(0),
  events: integer("events").notNull().default(0),
  requestedAt: integer("requested_at").notNull(),
  requestedBy: text("requested_by").notNull(),
  finishedAt: integer("finished_at"),
});
