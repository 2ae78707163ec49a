import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Notifications about a confirmation or an alert (`subject`) by channel: the first (0) and its reminders. `message` is
 * the id of the message it is sent with, the same for each attempt. Not a projection: nothing else records what was
 * sent.
 */
export const notices = sqliteTable(
  "notices",
  {
    subject: text("subject").notNull(),
    channel: text("channel").notNull(),
    number: integer("number").notNull(),
    dueAt: integer("due_at").notNull(),
    tries: integer("tries").notNull().default(0),
    message: text("message"),
    sentAt: integer("sent_at"),
    error: text("error"),
  },
  (table) => [
    primaryKey({ columns: [table.subject, table.channel, table.number] }),
    index("unsent_notices").on(table.dueAt).where(sql`sent_at IS NULL`),
  ],
);

/** The position up to which the log has been read for a channel. */
export const noticePlaces = sqliteTable("notice_places", {
  channel: text("channel").primaryKey(),
  position: integer("position").notNull(),
});
