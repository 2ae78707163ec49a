import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * The trace buffer: spans that are not mapped to events yet (E15), deleted when they are. `taken` is 1 while only a
 * part of their events is written: a large trace takes several transactions. Not a projection: nothing else records
 * them.
 */
export const spans = sqliteTable(
  "spans",
  {
    traceId: text("trace_id").notNull(),
    spanId: text("span_id").notNull(),
    parentSpanId: text("parent_span_id"),
    receivedAt: integer("received_at").notNull(),
    taken: integer("taken").notNull().default(0),
    content: text("content").notNull(),
  },
  (table) => [primaryKey({ columns: [table.traceId, table.spanId] })],
);

/**
 * Spans as they arrived, many in a row: those of traces that the process has in memory, of which this is the copy on disk. A
 * row is deleted when all of its spans are mapped. A start moves the rows of an earlier process to `spans`.
 */
export const spanParts = sqliteTable("span_parts", {
  id: integer("id").primaryKey(),
  receivedAt: integer("received_at").notNull(),
  content: text("content").notNull(),
});
