import type { Json } from "../../../lib/session/json/json.ts";
import { IS_SEEN } from "../../log/unfinished.ts";
import {
  isFork,
  MOST_COUNTED,
  NOTHING_READ,
  type SearchedRow,
  type SearchProgress,
  Stretch,
  type Unsearched,
} from "../../search/unsearched.ts";
import type { Queries } from "../database.ts";
import { wordsWithPlaces } from "./words.ts";

const ROW = "SELECT position, conversation_id, seq, type, payload FROM events";

/** Events that are read at a time, and how much of a log's payload at most, in bytes. */
const A_PAGE = 250;
const LARGEST_PAGE = 8_000_000;

/**
 * The next of the log that the index does not have (E14), as words with their places. Null: it has all. See
 * `db/sqlite/search/unsearched.ts`.
 */
export async function readUnsearched(queries: Queries): Promise<Unsearched | null> {
  const read = await readTexts(queries);
  return (
    read && { ...read, documents: read.documents.map(({ place, text }) => ({ place, text: wordsWithPlaces(text) })) }
  );
}

async function readTexts(queries: Queries): Promise<Unsearched | null> {
  const from = await readProgress(queries);
  const stretch = new Stretch(from);
  let after = from.position;
  for (;;) {
    const rows = await readPage(queries, `position > $1 AND ${IS_SEEN}`, "position", [after]);
    const places = await placesOf(queries, rows);
    for (const row of rows) {
      const payload: Json = JSON.parse(row.payload);
      const place = places.get(row.conversation_id ?? "") ?? null;
      if (row.conversation_id !== null && isFork(row.type, payload))
        await takeHistory(queries, stretch, row.conversation_id, place);
      if (stretch.isFull) return stretch.end();
      stretch.take(row, payload, place);
      if (stretch.isFull) return stretch.end();
      after = row.position;
    }
    if (rows.length === 0) return stretch.end();
  }
}

/** How many events the index lacks, counted up to 10,000. */
export async function countUnsearched(queries: Queries): Promise<number> {
  const { position } = await readProgress(queries);
  const [row] = await queries.rows<{ count: number }>(
    `SELECT count(*) FROM (SELECT 1 FROM events WHERE position > $1 AND ${IS_SEEN} LIMIT ${MOST_COUNTED}) AS unsearched`,
    [position],
  );
  return row?.count ?? 0;
}

/** How far the index goes. */
export async function readProgress(queries: Queries): Promise<SearchProgress> {
  const [progress] = await queries.rows<SearchProgress>("SELECT position, history FROM search_progress");
  return progress ?? NOTHING_READ;
}

/** What a fork brought along goes in before the event that makes the fork known. */
async function takeHistory(queries: Queries, stretch: Stretch, id: string, place: number | null): Promise<void> {
  for (;;) {
    const rows = await readPage(queries, "conversation_id = $1 AND seq > $2 AND position < 0", "seq", [
      id,
      stretch.history,
    ]);
    for (const row of rows) {
      stretch.takeHistory(row, place);
      if (stretch.isFull) return;
    }
    if (rows.length === 0) return;
  }
}

/** At least one where there is any. */
function readPage(
  queries: Queries,
  wanted: string,
  order: string,
  values: (string | number)[],
): Promise<SearchedRow[]> {
  return queries.rows<SearchedRow>(
    `SELECT position, conversation_id, seq, type, payload FROM (
       SELECT *, sum(octet_length(payload)) OVER (ORDER BY ${order}) - octet_length(payload) AS before
       FROM (${ROW} WHERE ${wanted} ORDER BY ${order} LIMIT ${A_PAGE}) AS wanted
     ) AS page WHERE before < ${LARGEST_PAGE} ORDER BY ${order}`,
    values,
  );
}

/** Where conversations stand in the list's table. */
async function placesOf(queries: Queries, rows: readonly SearchedRow[]): Promise<Map<string, number>> {
  const ids = [...new Set(rows.flatMap(({ conversation_id }) => conversation_id ?? []))];
  const found = await queries.rows<{ id: string; position: number }>(
    "SELECT id, position FROM conversations WHERE id = ANY($1)",
    [ids],
  );
  return new Map(found.map(({ id, position }) => [id, position]));
}
