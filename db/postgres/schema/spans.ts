import { pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { integer, key } from "./column-types.ts";

/** `place` tells in which order they came. */
export const spans = pgTable(
  "spans",
  {
    place: integer("place").generatedAlwaysAsIdentity(),
    traceId: key("trace_id").notNull(),
    spanId: key("span_id").notNull(),
    parentSpanId: key("parent_span_id"),
    receivedAt: integer("received_at").notNull(),
    taken: integer("taken").notNull().default(0),
    content: text("content").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.traceId, table.spanId] }),
    uniqueIndex("spans_by_place").on(table.traceId, table.place),
  ],
);

/** Traces that a replica is mapping. `owner`: see `unfinishedForks`. */
export const spanClaims = pgTable("span_claims", {
  traceId: key("trace_id").primaryKey(),
  owner: integer("owner").notNull(),
  claimedAt: integer("claimed_at").notNull(),
});
