import { type Direction, MEASURES, printSort, type Ranges, type Sort } from "../../lib/rollup/totals.ts";
import type { Prices } from "../../lib/session/prices.ts";
import type { Conversation, ConversationPage, ConversationQuery, Page } from "../repositories.ts";
import type { ConversationRow } from "./conversation-row.ts";
import type { Cursor } from "./cursor.ts";
import { isInOrder, type Plan, WALKED_FOR_ROW } from "./plan.ts";
import { type Among, and, areFew, type Sql, sql } from "./sql.ts";

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

/** Larger numbers are of one rank: millionths of them are no whole numbers any more. */
const SORTED_SCORE = `CASE WHEN CAST(value AS double precision) > 1e9 THEN 1e9 WHEN CAST(value AS double precision) < -1e9 THEN -1e9
    ELSE CAST(value AS double precision) END`;

/** Computes the averages of the scores of the conversations of a condition, which have none. */
export const countAverages = (condition: string) => `INSERT INTO rollup_averages (conversation, name, value)
  SELECT position, name, CAST(round(avg(${SORTED_SCORE}) * 1000000) AS bigint)
  FROM conversations JOIN scores ON scores.conversation_id = conversations.id
  WHERE ${condition} AND kind <> 'category' GROUP BY position, name`;

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

/** Conditions on the totals, which are whole numbers that no storage has to round; null where any will do. */
function inRanges(ranges: Ranges): Sql | null {
  const conditions = MEASURES.flatMap((measure) => {
    const { least, most } = ranges[measure] ?? {};
    const column = plain(`totals.${measure}`);
    const whole = (value: number, round: (value: number) => number) =>
      Math.min(Number.MAX_SAFE_INTEGER, measure === "cost" ? Math.round(value * COST_UNIT) : round(value));
    return [
      least === undefined ? null : sql`${column} >= ${whole(least, Math.ceil)}`,
      most === undefined ? null : sql`${column} <= ${whole(most, Math.floor)}`,
      measure === "cost" && most !== undefined && least === undefined ? sql`${column} >= 0` : null,
    ];
  }).filter((condition) => condition !== null);
  return conditions.length === 0 ? null : and(...conditions);
}

/** Conversations whose totals are in all ranges; null: any. `among`: these are found first. */
export function within(ranges: Ranges | undefined, among: Among | null): Sql | null {
  const conditions = ranges && inRanges(ranges);
  if (!conditions) return null;
  return among
    ? among("position", sql`SELECT conversation FROM conversation_totals AS totals WHERE ${conditions}`)
    : sql`EXISTS (SELECT 1 FROM conversation_totals AS totals WHERE totals.conversation = conversations.position
        AND ${conditions})`;
}

/** Whether few conversations are in these ranges, 1 or 0; null: any is. */
export function areFewWithin(ranges: Ranges | undefined): Sql | null {
  const conditions = ranges && inRanges(ranges);
  return conditions ? areFew(sql`conversation_totals AS totals WHERE ${conditions}`) : null;
}

/** Whether a page can be complete only when everything is counted. */
export function needsTotals({ sort, ranges }: ConversationQuery): boolean {
  return ranges !== undefined || (sort !== undefined && sort.by !== "updated");
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

export type SortedKey = readonly [value: number, place: number];

/** The sort key of an order. */
export function keyedBy({ sort, direction = "desc" }: Pick<Sorted, "sort" | "direction">) {
  return {
    list: ["conversations", printSort(sort), direction],
    isKey: (parts: readonly unknown[]): parts is SortedKey => parts.length === 2 && parts.every(Number.isSafeInteger),
    keyOf: ({ value, place }: SortedRow): SortedKey => [value, place],
  };
}

/** What is listed by totals: the columns of a row, the order, and the conditions on conversations; null: none. */
export interface Sorted {
  columns: string;
  sort: TotalsSort;
  direction: Direction | undefined;
  ranges: Ranges | undefined;
  /** By a score also those of ranges. */
  filter: (plan: Plan) => Sql | null;
  /** Where matches are to be gathered, what keeps a storage from looking for them in their order: it expects to have enough soon. */
  fence?: Sql;
}

/** A place in an order. */
export type SortedEnd = Pick<SortedRow, "value" | "place">;

/** Up to where a page is looked for in its order; none: all of the list. */
export function totalsWalked(sorted: Sorted, cursor: Cursor<SortedKey> | null, limit: number): Sql {
  const { value, place, after, order } = orderOf(sorted, cursor, "walk");
  const { from, conditions } = sourceOf({ ...sorted, ranges: undefined, filter: () => null }, "walk");
  return sql`SELECT ${value} AS value, ${place} AS place FROM ${from} WHERE ${and(...conditions, after)}
    ORDER BY ${order} LIMIT 1 OFFSET ${limit * WALKED_FOR_ROW}`;
}

/** The rows of a page; `end`: up to where it is looked for. */
export function sortedRows(
  sorted: Sorted,
  cursor: Cursor<SortedKey> | null,
  { limit, plan, end }: { limit: number; plan: Plan; end: SortedEnd | null },
): Sql {
  const { from, conditions } = sourceOf(sorted, plan);
  const { value, place, after, order, shown, until } = orderOf(sorted, cursor, plan);
  const matches = sql`SELECT ${place} AS place, ${value} AS value FROM ${from}
    WHERE ${and(...conditions, after, end && until(end))}`;
  const first =
    sorted.fence && !isInOrder(plan)
      ? sql`SELECT place, value FROM (${matches} ${sorted.fence}) AS page ORDER BY ${shown} LIMIT ${limit}`
      : sql`${matches} ORDER BY ${order} LIMIT ${limit}`;
  return sql`SELECT ${plain(sorted.columns)}, page.value, page.place FROM (${first}) AS page
    JOIN conversations ON conversations.position = page.place ORDER BY ${shown}`;
}

function orderOf({ sort, direction }: Sorted, cursor: Cursor<SortedKey> | null, plan: Plan) {
  const isAscending = (direction === "asc") !== (cursor?.direction === "prev");
  const way = plain(isAscending ? "" : " DESC");
  const beyond = plain(isAscending ? ">" : "<");
  const before = plain(isAscending ? "<=" : ">=");
  const value = plain(sort.by === "score" ? "totals.value" : `totals.${sort.by}`);
  const place = plain("totals.conversation");
  return {
    ...{ value, place },
    // The expression keeps a storage from reading all rows in the order of an index, where matches are to be gathered.
    order: sql`${value}${plain(isInOrder(plan) ? "" : " + 0")}${way}, ${place}${way}`,
    shown: sql`page.value${way}, page.place${way}`,
    after: cursor && sql`(${value}, ${place}) ${beyond} (${cursor.key[0]}, ${cursor.key[1]})`,
    until: (end: SortedEnd) => sql`(${value}, ${place}) ${before} (${end.value}, ${end.place})`,
  };
}

function sourceOf({ sort, ranges, filter }: Sorted, plan: Plan) {
  const isByScore = sort.by === "score";
  const table = plain(`${isByScore ? "rollup_averages" : "conversation_totals"} AS totals`);
  const conditions = isByScore ? [sql`totals.name = ${sort.score}`] : [inRanges(ranges ?? {})];
  const found = filter(plan);
  if (found === null) return { from: table, conditions };
  const listed = plain("conversations");
  // SQLite reads a cross join in its order.
  const isFoundByTotals = isInOrder(plan) || (plan === "ranged" && !isByScore);
  const from = isFoundByTotals ? sql`${table} CROSS JOIN ${listed}` : sql`${listed} CROSS JOIN ${table}`;
  return { from, conditions: [sql`totals.conversation = conversations.position`, ...conditions, found] };
}
