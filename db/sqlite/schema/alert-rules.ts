import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** Alert rules (`db/alert-rules.ts`) with their state; the condition as JSON. */
export const alertRules = sqliteTable("alert_rules", {
  id: text("id").primaryKey(),
  name: text("name").notNull().unique(),
  condition: text("condition").notNull(),
  enabled: integer("enabled").notNull(),
  mutedUntil: integer("muted_until"),
  state: text("state").notNull(),
  since: integer("since").notNull(),
  toldAt: integer("told_at"),
  createdAt: integer("created_at").notNull(),
  createdBy: text("created_by").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

/** When rules were firing; `ended_at` is null while one is. */
export const alertFirings = sqliteTable(
  "alert_firings",
  {
    id: text("id").primaryKey(),
    ruleId: text("rule_id").notNull(),
    /** That of the rule when it began to fire; null in older ones. */
    condition: text("condition"),
    startedAt: integer("started_at").notNull(),
    endedAt: integer("ended_at"),
    windowFrom: integer("window_from").notNull(),
    value: text("value").notNull(),
    peak: text("peak").notNull(),
    count: integer("count").notNull(),
    toldAt: integer("told_at"),
  },
  (table) => [
    index("alert_firings_by_rule").on(table.ruleId, table.startedAt),
    uniqueIndex("alert_firings_open").on(table.ruleId).where(sql`ended_at IS NULL`),
  ],
);
