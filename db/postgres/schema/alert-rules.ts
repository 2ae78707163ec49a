import { sql } from "drizzle-orm";
import { index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { integer, key } from "./column-types.ts";

export const alertRules = pgTable("alert_rules", {
  id: key("id").primaryKey(),
  name: key("name").notNull().unique(),
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

export const alertFirings = pgTable(
  "alert_firings",
  {
    id: key("id").primaryKey(),
    ruleId: key("rule_id").notNull(),
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
