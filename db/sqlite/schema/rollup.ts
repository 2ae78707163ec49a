import { sql } from "drizzle-orm";
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** By what the rollup counts apart: see `Series` in `lib/rollup/counts.ts`; "" where something is not known or not told. */
export const rollupSeries = sqliteTable(
  "rollup_series",
  {
    id: integer("id").primaryKey(),
    cut: text("cut").notNull(),
    kind: text("kind").notNull(),
    agent: text("agent").notNull(),
    version: text("version").notNull(),
    model: text("model").notNull(),
    channel: text("channel").notNull(),
    stage: text("stage").notNull(),
    tool: text("tool").notNull(),
    score: text("score").notNull().default(""),
  },
  (table) => [
    uniqueIndex("rollup_series_by_name").on(
      table.kind,
      table.cut,
      table.agent,
      table.version,
      table.model,
      table.channel,
      table.stage,
      table.tool,
      table.score,
    ),
  ],
);

/** What is counted of a series; durations and waits are sketches (`lib/rollup/sketch.ts`). */
const counts = {
  began: integer("began").notNull(),
  count: integer("count").notNull(),
  failed: integer("failed").notNull(),
  escalated: integer("escalated").notNull(),
  inputTokens: integer("input_tokens").notNull(),
  outputTokens: integer("output_tokens").notNull(),
  unreported: integer("unreported").notNull(),
  scoreSum: integer("score_sum").notNull().default(0),
  durations: blob("durations").notNull(),
  waits: blob("waits").notNull(),
};

/** The rollup: what happened in an hour, or on a day, of a series. The id has all three: see `cellId` in `lib/rollup/place.ts`. */
export const rollupCells = sqliteTable("rollup_cells", { id: integer("id").primaryKey(), ...counts });

/**
 * What each conversation added to the cells of hours that tell by everything: what is subtracted when it is erased or removed, and
 * where a number leads. `conversation` is the position of its row in the list. Its rows are in the order of their key (the
 * migration says `WITHOUT ROWID`), so that a period of a series is read at once.
 */
export const rollupParts = sqliteTable(
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
  ],
);

/** What is known of a conversation after its newest event in the rollup, as JSON; null: it has to be counted again. */
export const rollupStates = sqliteTable(
  "rollup_states",
  { conversation: integer("conversation").primaryKey(), state: text("state") },
  (table) => [index("rollup_again").on(table.conversation).where(sql`state IS NULL`)],
);

/**
 * Conversations whose scores have changed since the rollup counted them. `change` grows with each change, so that one that comes
 * while they are counted is not lost.
 */
export const rollupDue = sqliteTable("rollup_due", {
  conversation: integer("conversation").primaryKey(),
  change: integer("change").notNull(),
});

/** The position up to which the log has been read into the rollup. One row; none before the first event. */
export const rollupProgress = sqliteTable("rollup_progress", {
  id: integer("id").primaryKey(),
  position: integer("position").notNull(),
});

/**
 * What the list is sorted and filtered by beside the last activity, kept with the rollup: when a conversation began (epoch ms), how
 * long it went on (ms), failed calls, tokens, and their cost in millionths of a unit of currency. It can be made from
 * `conversations`, `rollup_parts` and `model_prices`.
 */
export const conversationTotals = sqliteTable(
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

/**
 * What the list is sorted by where it is by scores: the average of those of a name that are numbers or yes or no, in millionths. It can
 * be made from `scores`, and is kept with the rollup.
 */
export const rollupAverages = sqliteTable(
  "rollup_averages",
  {
    conversation: integer("conversation").notNull(),
    name: text("name").notNull(),
    value: integer("value").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.conversation, table.name] }),
    index("rollup_averages_by_value").on(table.name, table.value, table.conversation),
  ],
);

/** The prices with which the costs above were computed, as JSON. One row; none before the first start with prices. */
export const countedPrices = sqliteTable("counted_prices", {
  id: integer("id").primaryKey(),
  prices: text("prices").notNull(),
});
