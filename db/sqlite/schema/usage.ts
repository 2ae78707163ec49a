import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Token usage of this server's own runs by UTC day (`2026-01-31`), because the log has no index for it. */
export const agentUsage = sqliteTable(
  "agent_usage",
  {
    day: text("day").notNull(),
    agentId: text("agent_id").notNull(),
    model: text("model").notNull(),
    inputTokens: integer("input_tokens").notNull(),
    outputTokens: integer("output_tokens").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.agentId, table.model] })],
);
