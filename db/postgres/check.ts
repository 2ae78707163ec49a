import { MOVED, UNFINISHED } from "../move/tables.ts";
import { expectedTexts, type Step } from "../search/expected-texts.ts";
import { placesOf, WITHIN_BITS } from "../search/search-place.ts";
import { type Checked, checkData, failed, NOT_ALL, type Reporting, resultOf } from "../sqlite/check/check.ts";
import { counted, Faults } from "../sqlite/check/check-context.ts";
import { type Connection, openTemporary } from "../sqlite/connection.ts";
import { migrateDatabase as migrateSqlite } from "../sqlite/migrate.ts";
import { sqliteTarget } from "../sqlite/moved-tables.ts";
import { openDatabase, type Queries, type Session } from "./database.ts";
import { openError } from "./errors.ts";
import { refuseOther, refuseOtherVersion } from "./migrate.ts";
import { postgresSide } from "./moved-tables.ts";
import { countUnsearched, readProgress } from "./search/unsearched.ts";
import { wordsWithPlaces } from "./search/words.ts";

export interface PostgresCheckOptions extends Reporting {
  /** `postgres://…` */
  url: string;
}

const REMEDY =
  "Stop all replicas, move the database to a directory (npm run move -- --from postgres://… --to DIR), run npm run rebuild there, and move it into a new database.";

const TITLES_A_PAGE = 1_000;
const TELL_EVERY = 1_000;

/**
 * Checks a Postgres database without changing it, also while replicas use it: a snapshot of all data is copied into a
 * temporary database in SQLite, and checked there as such a database is. Throws `DataRefused` or `NewerDatabase`.
 */
export async function checkPostgres({ url, ...options }: PostgresCheckOptions): Promise<Checked[]> {
  const database = openDatabase(url, () => undefined);
  let session: Session | null = null;
  const copy = openTemporary();
  try {
    await refuseOther(database);
    await refuseOtherVersion(database);
    session = await database.connect(0);
    await session.run("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY");
    migrateSqlite(copy);
    await copyInto(copy, session, options);
    const checked = (await checkData(copy, options)).map((one) =>
      one.ok || one.name === "replay" ? one : { ...one, remedy: REMEDY },
    );
    const search = await checkSearch(session, copy, options);
    options.onChecked(search);
    return [...checked, search];
  } catch (error) {
    throw openError(error, url) ?? error;
  } finally {
    copy.close();
    await session?.close();
    await database.close();
  }
}

async function copyInto(copy: Connection, queries: Queries, { onProgress }: Reporting): Promise<void> {
  const [source, target] = [postgresSide(queries), sqliteTarget(copy)];
  for (const table of [...MOVED, UNFINISHED]) {
    let done = 0;
    for (let page = await source.read(table, null); page.length > 0; ) {
      await target.write(table, page);
      done += page.length;
      onProgress(`${table.name}: ${counted(done, "row")}`);
      page = await source.read(table, page.at(-1) ?? null);
    }
  }
}

/** The search index has the words of each step with text, up to the position it covers (E14), and no others. */
async function checkSearch(queries: Queries, copy: Connection, options: Reporting): Promise<Checked> {
  const faults = new Faults();
  const examined = await searchFaults(queries, copy, faults, options).catch((error) => {
    faults.add(failed(error));
    return NOT_ALL;
  });
  return resultOf("search", examined, faults, REMEDY);
}

/** Adds the faults, and gives what was examined. */
async function searchFaults(
  queries: Queries,
  copy: Connection,
  faults: Faults,
  { onProgress }: Reporting,
): Promise<string> {
  const progress = await readProgress(queries);
  const steps = copy.prepare<[string], Step>(
    "SELECT position, seq, type, payload FROM events WHERE conversation_id = ? ORDER BY seq",
  );
  const conversations = copy
    .prepare<[], { id: string; position: number; title: string | null }>(
      "SELECT id, position, title FROM conversations ORDER BY position",
    )
    .all();
  for (let from = 0; from < conversations.length; from += TITLES_A_PAGE) {
    const page = conversations.slice(from, from + TITLES_A_PAGE);
    const words = page.map(({ id, title }) => wordsWithPlaces(`${id}\n${title ?? ""}`));
    for (const { id } of await queries.rows<{ id: string }>(TITLES, [page.map(({ id }) => id), words]))
      faults.add(`${id}: the words of its title differ`);
  }
  for (const [index, { id, position }] of conversations.entries()) {
    const { has, mayHave } = expectedTexts(position, steps.iterate(id), progress);
    const words = [...has.values()].map(wordsWithPlaces);
    const places = [...has.keys()];
    for (const { place } of await queries.rows<{ place: string }>(STEPS, [places, words, ...placesOf(position)]))
      if (!mayHave.has(BigInt(place))) faults.add(`${id}: the words of step ${place} differ`);
    if (index % TELL_EVERY === 0) onProgress(`search: ${counted(index, "conversation")}`);
  }
  const [rows] = await queries.rows<{ all: number; orphans: number }>(ROWS);
  if (rows && rows.orphans > 0) faults.add(`${counted(rows.orphans, "row")} of missing conversations`);
  const behind = await countUnsearched(queries);
  return `${counted(rows?.all ?? 0, "row")}${behind > 0 ? `, ${counted(behind, "event")} behind` : ""}`;
}

const TITLES = `SELECT id FROM unnest($1::text[], $2::text[]) AS expected (id, words) JOIN conversations USING (id)
  WHERE title_words <> words::tsvector`;

const STEPS = `SELECT place::text FROM unnest($1::bigint[], $2::text[]) AS expected (place, words)
    FULL JOIN (SELECT * FROM event_search WHERE place BETWEEN $3 AND $4) AS indexed USING (place)
  WHERE indexed.words IS DISTINCT FROM expected.words::tsvector`;

const ROWS = `SELECT count(*) AS all,
    count(*) FILTER (WHERE (place >> ${WITHIN_BITS}) NOT IN (SELECT position FROM conversations)) AS orphans
  FROM event_search`;
