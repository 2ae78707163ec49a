import { sql } from "drizzle-orm";
import { index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { integer, key } from "./column-types.ts";

export const scores = pgTable(
  "scores",
  {
    conversationId: key("conversation_id").notNull(),
    id: key("id").notNull(),
    seq: integer("seq"),
    runId: key("run_id"),
    callId: key("call_id"),
    name: key("name").notNull(),
    kind: key("kind").notNull(),
    value: text("value").notNull(),
    source: key("source").notNull(),
    comment: text("comment"),
    by: text("by"),
    at: integer("at").notNull(),
    detail: text("detail"),
  },
  (table) => [
    primaryKey({ columns: [table.conversationId, table.id] }),
    index("scores_by_time").on(table.at),
    index("scores_by_name").on(table.name, table.conversationId, table.kind, table.value),
    // The expression is that of conditions on numbers, in `db/queries/score-row.ts`.
    index("scores_by_number").on(
      table.name,
      sql`(CASE WHEN kind = 'category' THEN NULL ELSE CAST(value AS double precision) END)`,
      table.conversationId,
    ),
  ],
);

export const waitingScores = pgTable("waiting_scores", {
  id: key("id").primaryKey(),
  target: text("target").notNull(),
  receivedAt: integer("received_at").notNull(),
  content: text("content").notNull(),
});
