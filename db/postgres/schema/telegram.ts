import { sql } from "drizzle-orm";
import { index, pgTable, text } from "drizzle-orm/pg-core";
import { integer, key } from "./column-types.ts";

export const telegramUpdates = pgTable(
  "telegram_updates",
  {
    updateId: integer("update_id").primaryKey(),
    conversationId: key("conversation_id").notNull(),
    handledAt: integer("handled_at"),
    content: text("content"),
  },
  (table) => [
    index("unhandled_telegram_updates").on(table.conversationId, table.updateId).where(sql`handled_at IS NULL`),
    index("telegram_updates_by_end").on(table.handledAt).where(sql`handled_at IS NOT NULL`),
  ],
);

export const telegramProgress = pgTable("telegram_progress", {
  name: key("name").primaryKey(),
  position: integer("position").notNull(),
  parts: integer("parts").notNull(),
});
