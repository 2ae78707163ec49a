import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { integer } from "./column-types.ts";

/** What the models of this server's own runs have used, by UTC day. */
export const agentUsage = pgTable(
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
