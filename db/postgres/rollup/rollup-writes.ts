import {
  addCounts,
  addPart,
  addStored,
  type CutSeries,
  isEmpty,
  NUMBERS,
  noCounts,
  noPart,
  type Part,
  type StoredCounts,
  toStored,
} from "../../../lib/rollup/counts.ts";
import { cellId } from "../../../lib/rollup/place.ts";
import type { Prices } from "../../../lib/session/prices.ts";
import { countAverages, countTotals, printPrices, savePricesWith } from "../../queries/totals.ts";
import {
  type CellChange,
  CellChanges,
  countedAs,
  cutKey,
  REMOVE_UNUSED,
  type RollupBatch,
  storedPart,
} from "../../rollup/batch.ts";
import { MARK_NEW, REMOVE_SCORE_PARTS } from "../../rollup/due-scores.ts";
import type { Queries, Value } from "../database.ts";
import { LOCKS } from "../locks.ts";
import { jsonIn } from "../queries/json-text.ts";
import { SERIES_NAME, seriesHash } from "../schema/rollup.ts";
import { readKnownParts, readRollupProgress } from "./read-batch.ts";

type StoredPart = StoredCounts & Pick<Part, "longest" | "longest_seq">;

/**
 * Stores a batch in a transaction, unless something was erased since `epoch`, or another replica has stored it: then it is read
 * again. It does not take the log's lock, so nobody who appends waits for it.
 */
export async function saveRollupBatch(queries: Queries, batch: RollupBatch, epoch: number): Promise<void> {
  await lock(queries);
  if ((await readRollupProgress(queries)) !== batch.from) return;
  const [erased] = await queries.rows<{ epoch: number }>("SELECT epoch FROM erasure_epoch");
  if ((erased?.epoch ?? 0) !== epoch) return;
  const told = batch.conversations.filter(({ state }) => state !== null);
  const ids = await idsOf(queries, batch.series);
  const counted = batch.conversations
    .filter(({ replaces }) => replaces === "all")
    .map(({ conversation }) => conversation);
  if (counted.length > 0) await queries.run("DELETE FROM rollup_parts WHERE conversation = ANY($1)", [counted]);
  const scored = batch.conversations.flatMap(({ conversation, change }) =>
    change === null ? [] : [{ conversation, change }],
  );
  for (const { conversation } of scored) await queries.run(REMOVE_SCORE_PARTS.replace("?", "$1"), [conversation]);
  const parts = batch.conversations.flatMap(({ conversation, parts }) =>
    parts.map(({ hour, series, part }) => ({ conversation, hour, series: ids[series] ?? 0, part })),
  );
  await addToParts(queries, parts);
  await addToCells(queries, batch.cells, ids);
  await queries.run(
    `INSERT INTO rollup_states (conversation, state) SELECT * FROM unnest($1::bigint[], $2::text[])
     ON CONFLICT (conversation) DO UPDATE SET state = excluded.state`,
    [told.map(({ conversation }) => conversation), told.map(({ state }) => state)],
  );
  const added = batch.conversations.filter(({ isNew }) => isNew).map(({ conversation }) => conversation);
  await queries.run(MARK_NEW.replace("position = ?", "position = ANY($1)"), [added]);
  // What changes them at this moment is not waited for: then they are counted once more.
  await queries.run(
    `DELETE FROM rollup_due WHERE (conversation, change) IN (
       SELECT conversation, change FROM rollup_due
       WHERE (conversation, change) IN (SELECT * FROM unnest($1::bigint[], $2::bigint[])) FOR UPDATE SKIP LOCKED)`,
    [scored.map(({ conversation }) => conversation), scored.map(({ change }) => change)],
  );
  await queries.run(countTotals(TOTALS, "position = ANY($1)"), [
    batch.conversations.map(({ conversation }) => conversation),
  ]);
  const rescored = batch.conversations
    .filter(({ replaces }) => replaces !== null)
    .map(({ conversation }) => conversation);
  if (rescored.length > 0) {
    await queries.run("DELETE FROM rollup_averages WHERE conversation = ANY($1)", [rescored]);
    await queries.run(countAverages("position = ANY($1)"), [rescored]);
  }
  await queries.run(
    "INSERT INTO rollup_progress (id, position) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET position = excluded.position",
    [batch.to],
  );
  if (counted.length > 0) for (const statement of REMOVE_UNUSED) await queries.run(statement);
}

/** Subtracts a conversation that is removed. */
export async function forgetRolledUp(queries: Queries, conversation: number): Promise<void> {
  await lock(queries);
  const changes = new CellChanges();
  const parts = await readKnownParts(queries, conversation);
  for (const { hour, series, part } of parts) changes.add(hour, series, part, -1);
  await addToCells(queries, changes.all(), await idsOf(queries, changes.series));
  await queries.run("DELETE FROM rollup_parts WHERE conversation = $1", [conversation]);
  await queries.run("DELETE FROM rollup_states WHERE conversation = $1", [conversation]);
  await queries.run("DELETE FROM conversation_totals WHERE conversation = $1", [conversation]);
  await queries.run("DELETE FROM rollup_averages WHERE conversation = $1", [conversation]);
  await queries.run("DELETE FROM rollup_due WHERE conversation = $1", [conversation]);
}

/** Computes the cost of every conversation again if the prices have changed. */
export async function useRollupPrices(queries: Queries, prices: Prices): Promise<void> {
  await lock(queries);
  const text = printPrices(prices);
  const [known] = await queries.rows<{ prices: string }>("SELECT prices FROM counted_prices");
  if (known?.prices === text) return;
  await queries.run(savePricesWith("$1"), [text]);
  await queries.run(countTotals(TOTALS, "position IN (SELECT conversation FROM conversation_totals)"));
}

/** Postgres has no year 0: it is 1 BC. */
const CREATED_AT = `regexp_replace(${jsonIn("summary")} ->> 'created_at', '^0000(.*)', '0001\\1 BC')::timestamptz`;

const TOTALS = {
  began: `CAST(round(extract(epoch FROM ${CREATED_AT}) * 1000) AS bigint)`,
  failed: `CAST(${jsonIn("summary")} -> 'failures' ->> 'count' AS bigint)`,
  json: (column: string) => `${column}::json`,
};

/** Has a conversation counted again, whose events have changed; what is known of it goes at once. */
export async function rollUpAgain(queries: Queries, conversation: number): Promise<void> {
  await lock(queries);
  await queries.run(
    "INSERT INTO rollup_states (conversation, state) VALUES ($1, NULL) ON CONFLICT (conversation) DO UPDATE SET state = NULL",
    [conversation],
  );
}

/** Until the end of the transaction, nobody else changes the rollup. */
async function lock(queries: Queries): Promise<void> {
  await queries.rows("SELECT pg_advisory_xact_lock($1)", [LOCKS.rollup]);
}

/** The ids of series, in their order; those that are new are stored. */
async function idsOf(queries: Queries, wanted: readonly CutSeries[]): Promise<number[]> {
  if (wanted.length === 0) return [];
  const ids = await knownIds(queries, wanted);
  const [newest] = await queries.rows<{ id: number | null }>("SELECT max(id) AS id FROM rollup_series");
  const known = newest?.id ?? 0;
  const missing = wanted.flatMap((series, index) =>
    ids[index] === undefined ? { index, series: countedAs(series, known) } : [],
  );
  if (missing.length === 0) return ids;
  const added = [...new Map(missing.map(({ series }) => [cutKey(series), series])).values()];
  await queries.run(
    `INSERT INTO rollup_series (id, ${SERIES_NAME.join(", ")})
     SELECT $${SERIES_NAME.length + 1}::bigint + number, ${SERIES_NAME.join(", ")} FROM ${WANTED}
     WHERE NOT EXISTS (SELECT 1 FROM rollup_series WHERE ${IS_WANTED})`,
    [...namesOf(added), known],
  );
  const stored = await knownIds(
    queries,
    missing.map(({ series }) => series),
  );
  for (const [number, { index }] of missing.entries()) {
    const id = stored[number];
    if (id !== undefined) ids[index] = id;
  }
  return ids;
}

/** Series as parameters, numbered from 1. */
const WANTED = `unnest(${SERIES_NAME.map((_, index) => `$${index + 1}::text[]`).join(", ")})
  WITH ORDINALITY AS wanted (${SERIES_NAME.join(", ")}, number)`;
const IS_WANTED = [
  `${seriesHash("rollup_series.")} = ${seriesHash("wanted.")}`,
  ...SERIES_NAME.map((name) => `rollup_series.${name} = wanted.${name}`),
].join(" AND ");

function namesOf(series: readonly CutSeries[]): string[][] {
  return SERIES_NAME.map((name) => series.map((one) => one[name]));
}

/** The ids of series that are stored, by their index. */
async function knownIds(queries: Queries, series: readonly CutSeries[]): Promise<number[]> {
  const found = await queries.rows<{ id: number; number: number }>(
    `SELECT rollup_series.id, wanted.number FROM ${WANTED} JOIN rollup_series ON ${IS_WANTED}`,
    namesOf(series),
  );
  const ids: number[] = [];
  for (const { id, number } of found) ids[number - 1] = id;
  return ids;
}

const COLUMNS = [...NUMBERS, "durations", "waits"] as const;
const SET = COLUMNS.map((column) => `${column} = excluded.${column}`).join(", ");
const typeOf = (column: (typeof COLUMNS)[number]) =>
  column === "durations" || column === "waits" ? "bytea" : "bigint";

interface AddedPart {
  conversation: number;
  hour: number;
  series: number;
  part: Part;
}

async function addToParts(queries: Queries, added: readonly AddedPart[]): Promise<void> {
  const sums = new Map<string, AddedPart>();
  for (const { part, ...place } of added) {
    const key = placeKey(place);
    const sum = sums.get(key) ?? { ...place, part: noPart() };
    sums.set(key, sum);
    addPart(sum.part, part);
  }
  const places = [...sums.values()];
  const marks = "unnest($1::bigint[], $2::bigint[], $3::bigint[])";
  const keys = (parts: readonly Omit<AddedPart, "part">[]): Value[] => [
    parts.map(({ conversation }) => conversation),
    parts.map(({ hour }) => hour),
    parts.map(({ series }) => series),
  ];
  const before = await queries.rows<StoredPart & Omit<AddedPart, "part">>(
    `SELECT conversation, hour, series, ${COLUMNS.join(", ")}, longest, longest_seq FROM rollup_parts
     WHERE (conversation, hour, series) IN (SELECT * FROM ${marks})`,
    keys(places),
  );
  for (const row of before) {
    const sum = sums.get(placeKey(row));
    if (sum) addPart(sum.part, storedPart(row));
  }
  const empty = places.filter(({ part }) => isEmpty(part));
  if (empty.length > 0)
    await queries.run(
      `DELETE FROM rollup_parts WHERE (conversation, hour, series) IN (SELECT * FROM ${marks})`,
      keys(empty),
    );
  const kept = places.filter(({ part }) => !isEmpty(part));
  const stored = kept.map(({ part }) => toStored(part));
  await queries.run(
    `INSERT INTO rollup_parts (conversation, hour, series, longest, longest_seq, ${COLUMNS.join(", ")})
     SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[],
       ${COLUMNS.map((column, index) => `$${index + 6}::${typeOf(column)}[]`).join(", ")})
     ON CONFLICT (series, hour, conversation) DO UPDATE SET ${SET}, longest = excluded.longest,
       longest_seq = excluded.longest_seq`,
    [
      ...keys(kept),
      kept.map(({ part }) => part.longest),
      kept.map(({ part }) => part.longest_seq),
      ...COLUMNS.map((column) => stored.map((one) => one[column])),
    ],
  );
}

async function addToCells(queries: Queries, changes: readonly CellChange[], ids: readonly number[]): Promise<void> {
  const sums = new Map(
    changes.map(({ grain, isFull, hour, series }) => [cellId(grain, isFull, hour, ids[series] ?? 0), noCounts()]),
  );
  const before = await queries.rows<StoredCounts & { id: number }>(
    `SELECT id, ${COLUMNS.join(", ")} FROM rollup_cells WHERE id = ANY($1)`,
    [[...sums.keys()]],
  );
  for (const row of before) {
    const sum = sums.get(row.id);
    if (sum) addStored(sum, row);
  }
  for (const { grain, isFull, hour, series, counts } of changes) {
    const sum = sums.get(cellId(grain, isFull, hour, ids[series] ?? 0));
    if (sum) addCounts(sum, counts);
  }
  const empty = [...sums].filter(([, sum]) => isEmpty(sum)).map(([id]) => id);
  if (empty.length > 0) await queries.run("DELETE FROM rollup_cells WHERE id = ANY($1)", [empty]);
  const kept = [...sums].filter(([, sum]) => !isEmpty(sum));
  const stored = kept.map(([, sum]) => toStored(sum));
  await queries.run(
    `INSERT INTO rollup_cells (id, ${COLUMNS.join(", ")})
     SELECT * FROM unnest($1::bigint[], ${COLUMNS.map((column, index) => `$${index + 2}::${typeOf(column)}[]`).join(", ")})
     ON CONFLICT (id) DO UPDATE SET ${SET}`,
    [kept.map(([id]) => id), ...COLUMNS.map((column) => stored.map((one) => one[column]))],
  );
}

function placeKey({ conversation, hour, series }: Omit<AddedPart, "part">): string {
  return `${conversation} ${hour} ${series}`;
}
