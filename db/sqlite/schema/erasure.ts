import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Erasures. `target`, `reason` and `scope` are null when finished; then `receipt`, a keyed digest of the name,
 * identifies the target to those who know the name. `scope` is a JSON object of what was found, so that an erasure can
 * continue after a restart.
 */
export const erasures = sqliteTable("erasures", {
  id: text("id").primaryKey(),
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
