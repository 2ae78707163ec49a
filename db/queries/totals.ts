import { type Direction, MEASURES, printSort, type Ranges, type Sort } from "../../lib/rollup/totals.ts";
import type { Prices } from "../../lib/session/prices.ts";
import type { Conversation, ConversationPage, ConversationQuery, Page } from "../repositories.ts";
import type { ConversationRow } from "./conversation-row.ts";
import type { Cursor } from "./cursor.ts";
import { and, type Sql, sql } from "./sql.ts";

/** Costs are kept in millionths of a unit of currency, so that they are whole numbers. */
const COST_UNIT = 1_000_000;
/** The cost of a conversation that used a model without a price. */
const UNKNOWN_COST = -1;

/** What the list shows of a conversation's totals, in the order of `listedTotals`. */
export const TOTAL_COLUMNS = "tokens, cost";

/** The totals in a row of the list, from the JSON array of their columns; null until they are counted, or if they are unknown. */
export function listedTotals(json: string | null): Pick<Conversation, "tokens" | "cost"> {
  const [tokens, cost]: [number | null, number | null] = json === null ? [null, null] : JSON.parse(json);
  return { tokens, cost: cost === null || cost === UNKNOWN_COST ? null : cost / COST_UNIT };
}

/** What differs between the storages. */
interface Dialect {
  /** When a conversation began, epoch ms, from `summary`. */
  began: string;
  /** Its failed calls, from `summary`. */
  failed: string;
  /** A column of JSON text as JSON. */
  json: (column: string) => string;
}

/** Counts the totals of the conversations of a condition again, from the list and the rollup. */
export function countTotals({ began, failed, json }: Dialect, condition: string): string {
  const price = (field: string) => `CAST(coalesce(price.value ->> '${field}', '0') AS double precision)`;
  const requests = `rollup_parts JOIN rollup_series ON rollup_series.id = rollup_parts.series AND kind = 'model'`;
  return `INSERT INTO conversation_totals (conversation, started, duration, failures, tokens, cost)
    SELECT position, began, updated_at - began, failed,
      coalesce((SELECT sum(input_tokens + output_tokens) FROM ${requests} WHERE rollup_parts.conversation = position), 0),
      coalesce((SELECT CASE WHEN sum(CASE WHEN price.value IS NULL AND input_tokens + output_tokens > 0 THEN 1 ELSE 0 END) > 0
          THEN ${UNKNOWN_COST}
          ELSE CAST(round(sum(input_tokens * ${price("input")} + output_tokens * ${price("output")})) AS bigint) END
        FROM ${requests}
          LEFT JOIN json_each((SELECT ${json("prices")} FROM counted_prices)) AS price ON price.key = rollup_series.model
        WHERE rollup_parts.conversation = position), 0)
    FROM (SELECT position, updated_at, ${began} AS began, coalesce(${failed}, 0) AS failed FROM conversations
      WHERE ${condition}) AS listed
    WHERE true
    ON CONFLICT (conversation) DO UPDATE SET started = excluded.started, duration = excluded.duration,
      failures = excluded.failures, tokens = excluded.tokens, cost = excluded.cost`;
}

/**
 * Prices as they are kept beside the costs. The line break tells them from those of before a model without a price made a cost
 * unknown: these costs are computed again.
 */
export function printPrices(prices: Prices): string {
  return `${JSON.stringify(prices)}\n`;
}

/** Keeps the prices; the marker is the storage's own. */
export const savePricesWith = (marker: string) =>
  `INSERT INTO counted_prices (id, prices) VALUES (1, ${marker}) ON CONFLICT (id) DO UPDATE SET prices = excluded.prices`;

const plain = (text: string): Sql => ({ text, values: [] });

/** Conditions on the totals; null where any will do. */
function inRanges(ranges: Ranges): Sql | null {
  const conditions = MEASURES.flatMap((measure) => {
    const { least, most } = ranges[measure] ?? {};
    const column = plain(`totals.${measure}`);
    const unit = measure === "cost" ? COST_UNIT : 1;
    return [
      least === undefined ? null : sql`${column} >= ${Math.round(least * unit)}`,
      most === undefined ? null : sql`${column} <= ${Math.round(most * unit)}`,
      measure === "cost" && most !== undefined && least === undefined ? sql`${column} >= 0` : null,
    ];
  }).filter((condition) => condition !== null);
  return conditions.length === 0 ? null : and(...conditions);
}

/** Conversations whose totals are in all ranges; null: any. */
export function within(ranges: Ranges | undefined): Sql | null {
  const conditions = ranges && inRanges(ranges);
  return conditions
    ? sql`EXISTS (SELECT 1 FROM conversation_totals AS totals WHERE totals.conversation = conversations.position
        AND ${conditions})`
    : null;
}

/** Whether a page can be complete only when everything is counted. */
export function needsTotals({ sort, ranges }: ConversationQuery): boolean {
  return ranges !== undefined || (sort !== undefined && sort.by !== "updated" && sort.by !== "score");
}

export function withBehind(page: Page<Conversation>, behind: number): ConversationPage {
  return behind > 0 ? { ...page, behind } : page;
}

/** The order of a list by what is not in `conversations`. */
export type TotalsSort = Exclude<Sort, { by: "updated" }>;

/** A row of the list with its value in the order, and its position, which decides between equal values. */
export interface SortedRow extends ConversationRow {
  value: number;
  place: number;
}

export type SortedKey = readonly [sort: string, value: number, place: number];

/** A cursor of another order is refused. */
export function keyedBy({ sort, direction = "desc" }: Pick<Sorted, "sort" | "direction">) {
  const name = `${printSort(sort)} ${direction}`;
  return {
    isKey: (parts: readonly unknown[]): parts is SortedKey =>
      parts.length === 3 && parts[0] === name && Number.isSafeInteger(parts[1]) && Number.isSafeInteger(parts[2]),
    keyOf: ({ value, place }: SortedRow): SortedKey => [name, value, place],
  };
}

/** What is listed by totals: the columns of a row, the order, and the conditions on conversations; null: none. */
export interface Sorted {
  columns: string;
  sort: TotalsSort;
  direction: Direction | undefined;
  ranges: Ranges | undefined;
  filter: Sql | null;
}

/**
 * The rows of a page. Without other conditions an index has the order. With some, the matches are found first: among 100,000
 * conversations that takes no longer if few match than if many do.
 */
export function sortedRows(
  { columns, sort, direction, ranges, filter }: Sorted,
  cursor: Cursor<SortedKey> | null,
  limit: number,
): Sql {
  const { from, value, place, conditions } = sourceOf(sort, ranges, filter);
  const isAscending = (direction === "asc") !== (cursor?.direction === "prev");
  const order = plain(isAscending ? "" : " DESC");
  const beyond = plain(isAscending ? ">" : "<");
  const after =
    cursor &&
    sql`${value} ${beyond}= ${cursor.key[1]} AND (${value} ${beyond} ${cursor.key[1]} OR ${place} ${beyond} ${cursor.key[2]})`;
  return sql`SELECT ${plain(columns)}, page.value, page.place FROM (
      SELECT ${place} AS place, ${value} AS value FROM ${from} WHERE ${and(...conditions, after)}
      ORDER BY ${value}${order}, ${place}${order} LIMIT ${limit}) AS page
    JOIN conversations ON conversations.position = page.place ORDER BY page.value${order}, page.place${order}`;
}

/** Larger numbers are of one rank: millionths of them are no whole numbers any more. */
const SORTED_SCORE = plain(
  `CASE WHEN CAST(value AS double precision) > 1e9 THEN 1e9 WHEN CAST(value AS double precision) < -1e9 THEN -1e9
    ELSE CAST(value AS double precision) END`,
);

function sourceOf(sort: TotalsSort, ranges: Ranges = {}, filter: Sql | null) {
  if (sort.by === "score")
    return {
      from: sql`(SELECT conversation_id, CAST(round(avg(${SORTED_SCORE}) * 1000000) AS bigint) AS value FROM scores
          WHERE name = ${sort.score} AND kind <> 'category' GROUP BY conversation_id) AS scored
        JOIN conversations ON conversations.id = scored.conversation_id`,
      value: plain("scored.value"),
      place: plain("conversations.position"),
      conditions: [filter, within(ranges)],
    };
  const value = plain(`totals.${sort.by}`);
  const place = plain("totals.conversation");
  const conditions = [filter, inRanges(ranges)];
  if (filter === null) return { from: plain("conversation_totals AS totals"), value, place, conditions };
  return {
    // SQLite reads a cross join in its order.
    from: plain("conversations CROSS JOIN conversation_totals AS totals"),
    ...{ value, place },
    conditions: [sql`totals.conversation = conversations.position`, ...conditions],
  };
}
