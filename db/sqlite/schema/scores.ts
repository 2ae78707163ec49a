import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Scores of conversations, or of a run, a step or a call in them. Not a projection: the log has no event for them. `value` is
 * text, that of yes or no 1 or 0; `detail` is JSON: how a model came to it (`Judgement`).
 */
export const scores = sqliteTable(
  "scores",
  {
    conversationId: text("conversation_id").notNull(),
    id: text("id").notNull(),
    seq: integer("seq"),
    runId: text("run_id"),
    callId: text("call_id"),
    name: text("name").notNull(),
    kind: text("kind").notNull(),
    value: text("value").notNull(),
    source: text("source").notNull(),
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

/** Scores from OpenTelemetry whose span may not be mapped to events yet: `target` is where it will be found, `content` the score. */
export const waitingScores = sqliteTable("waiting_scores", {
  id: text("id").primaryKey(),
  target: text("target").notNull(),
  receivedAt: integer("received_at").notNull(),
  content: text("content").notNull(),
});
