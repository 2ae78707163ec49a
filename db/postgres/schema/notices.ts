import { sql } from "drizzle-orm";
import { index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { integer, key } from "./column-types.ts";

export const notices = pgTable(
  "notices",
  {
    subject: key("subject").notNull(),
    channel: key("channel").notNull(),
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

export const noticePlaces = pgTable("notice_places", {
  channel: key("channel").primaryKey(),
  position: integer("position").notNull(),
});
