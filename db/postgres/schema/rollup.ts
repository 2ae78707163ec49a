import { sql } from "drizzle-orm";
import { index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytes, integer, key } from "./column-types.ts";

/** All that tells a series from others. */
export const SERIES_NAME = ["kind", "cut", "agent", "version", "model", "channel", "stage", "tool", "score"] as const;

/** By what a series is found; two may have the same. `of` stands before each column. */
export function seriesHash(of: string): string {
  return `(md5(${SERIES_NAME.map((name) => `${of}${name}`).join(" || ")}) COLLATE "C")`;
}

/** The rollup: see `db/sqlite/schema/rollup.ts`. */
export const rollupSeries = pgTable(
  "rollup_series",
  {
    id: integer("id").primaryKey(),
    cut: text("cut").notNull(),
    kind: text("kind").notNull(),
    agent: key("agent").notNull(),
    version: key("version").notNull(),
    model: key("model").notNull(),
    channel: key("channel").notNull(),
    stage: key("stage").notNull(),
    tool: key("tool").notNull(),
    score: key("score").notNull().default(""),
  },
  (table) => [
    // Names may be longer together than what an index takes: 2,704 bytes.
    index("rollup_series_by_hash").on(sql.raw(seriesHash(""))),
    index("rollup_series_by_agent").on(table.kind, table.cut, table.agent, table.version),
  ],
);

const counts = {
  began: integer("began").notNull(),
  count: integer("count").notNull(),
  failed: integer("failed").notNull(),
  escalated: integer("escalated").notNull(),
  inputTokens: integer("input_tokens").notNull(),
  outputTokens: integer("output_tokens").notNull(),
  unreported: integer("unreported").notNull(),
  scoreSum: integer("score_sum").notNull().default(0),
  durations: bytes("durations").notNull(),
  waits: bytes("waits").notNull(),
};

export const rollupCells = pgTable("rollup_cells", { id: integer("id").primaryKey(), ...counts });

export const rollupParts = pgTable(
  "rollup_parts",
  {
    conversation: integer("conversation").notNull(),
    hour: integer("hour").notNull(),
    series: integer("series").notNull(),
    ...counts,
    longest: integer("longest").notNull(),
    longestSeq: integer("longest_seq").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.series, table.hour, table.conversation] }),
    index("rollup_parts_by_conversation").on(table.conversation),
    index("rollup_parts_failed").on(table.series, table.hour, table.conversation).where(sql`failed > 0`),
  ],
);

export const rollupStates = pgTable(
  "rollup_states",
  { conversation: integer("conversation").primaryKey(), state: text("state") },
  (table) => [index("rollup_again").on(table.conversation).where(sql`state IS NULL`)],
);

export const conversationTotals = pgTable(
  "conversation_totals",
  {
    conversation: integer("conversation").primaryKey(),
    started: integer("started").notNull(),
    duration: integer("duration").notNull(),
    failures: integer("failures").notNull(),
    tokens: integer("tokens").notNull(),
    cost: integer("cost").notNull(),
  },
  (table) => [
    index("totals_by_start").on(table.started, table.conversation),
    index("totals_by_duration").on(table.duration, table.conversation),
    index("totals_by_failures").on(table.failures, table.conversation),
    index("totals_by_tokens").on(table.tokens, table.conversation),
    index("totals_by_cost").on(table.cost, table.conversation),
  ],
);

export const rollupAverages = pgTable(
  "rollup_averages",
  {
    conversation: integer("conversation").notNull(),
    name: key("name").notNull(),
    value: integer("value").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.conversation, table.name] }),
    index("rollup_averages_by_value").on(table.name, table.value, table.conversation),
  ],
);

export const countedPrices = pgTable("counted_prices", {
  id: integer("id").primaryKey(),
  prices: text("prices").notNull(),
});

export const rollupDue = pgTable("rollup_due", {
  conversation: integer("conversation").primaryKey(),
  change: integer("change").notNull(),
});

export const rollupProgress = pgTable("rollup_progress", {
  id: integer("id").primaryKey(),
  position: integer("position").notNull(),
});
