import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Updates from Telegram (D10). `content` is the update as JSON until it is handled; then only its id stays, for
 * deduplication. Not a projection: nothing else records unhandled updates.
 */
export const telegramUpdates = sqliteTable(
  "telegram_updates",
  {
    updateId: integer("update_id").primaryKey(),
    conversationId: text("conversation_id").notNull(),
    handledAt: integer("handled_at"),
    content: text("content"),
  },
  (table) => [
    index("unhandled_telegram_updates").on(table.conversationId, table.updateId).where(sql`handled_at IS NULL`),
    index("telegram_updates_by_end").on(table.handledAt).where(sql`handled_at IS NOT NULL`),
  ],
);

/**
 * The position up to which the log has been sent to Telegram (D10), and the number of parts sent of the next message.
 * By conversation id, or by the name of another subscription.
 */
export const telegramProgress = sqliteTable("telegram_progress", {
  name: text("name").primaryKey(),
  position: integer("position").notNull(),
  parts: integer("parts").notNull(),
});
