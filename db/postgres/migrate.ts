import { fileURLToPath } from "node:url";
import { DataRefused, NewerDatabase } from "../errors.ts";
import { newestOf, readMigrations } from "../migrations.ts";
import { type Database, END_PAUSES, type Queries } from "./database.ts";
import { retryDeadlocks } from "./errors.ts";
import { LOCKS } from "./locks.ts";

/** The folder of the migrations. */
export const MIGRATIONS = fileURLToPath(new URL("./migrations", import.meta.url));

/** The table in which Drizzle's own migrator keeps its journal. */
const JOURNAL =
  "CREATE TABLE IF NOT EXISTS __drizzle_migrations (id bigint GENERATED ALWAYS AS IDENTITY, hash text NOT NULL, created_at bigint NOT NULL)";

/** The oldest version of Postgres that is supported. */
const OLDEST = 15;

/** Throws `DataRefused` for a version or an encoding that is not supported. */
export async function refuseOther(queries: Queries): Promise<void> {
  const [server] = await queries.rows<{ number: number; version: string; encoding: string; database: string }>(
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version,
       current_setting('server_encoding') AS encoding, current_database() AS database`,
  );
  if (!server || Math.floor(server.number / 10_000) < OLDEST)
    throw new DataRefused(
      `Postgres ${server?.version ?? ""} is too old: Obelus requires ${OLDEST} or newer; upgrade it, or name another one in OBELUS_DATABASE_URL`,
    );
  if (server.encoding !== "UTF8")
    throw new DataRefused(
      `The database ${server.database} has the encoding ${server.encoding}; create it again with ENCODING 'UTF8'`,
    );
}

/**
 * Brings the database to this version's tables, all of it or nothing; of replicas that start at once, one does. Throws
 * `NewerDatabase` before anything is changed.
 */
export function migrateDatabase(database: Database): Promise<void> {
  // A read of several tables may lock them in another order.
  return retryDeadlocks(() => migrate(database));
}

async function migrate(database: Database): Promise<void> {
  const migrations = readMigrations(MIGRATIONS);
  const session = await database.connect(0);
  try {
    await session.run(END_PAUSES);
    await session.run("BEGIN");
    await session.rows("SELECT pg_advisory_xact_lock($1)", [LOCKS.migration]);
    await session.run(JOURNAL);
    const applied = await newestApplied(session);
    if (applied > newestOf(migrations)) throw new NewerDatabase("The Postgres database");
    const needed = migrations.filter(({ when }) => when > applied);
    // A replica of the version before reads a table and then writes it, which would deadlock with a change of the table.
    if (needed.length > 0)
      for (const lock of [LOCKS.log, LOCKS.rollup]) await session.rows("SELECT pg_advisory_xact_lock($1)", [lock]);
    for (const { sql, hash, when } of needed) {
      for (const statement of sql) await session.run(statement);
      await session.run("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ($1, $2)", [hash, when]);
    }
    await session.run("COMMIT");
  } finally {
    // Without its commit, all of it is undone.
    await session.close();
  }
}

/** Throws `NewerDatabase`, or `DataRefused` where the tables are missing or older. Changes nothing. */
export async function refuseOtherVersion(queries: Queries): Promise<void> {
  const [journal] = await queries.rows<{ known: boolean }>(
    "SELECT to_regclass('__drizzle_migrations') IS NOT NULL AS known",
  );
  const applied = journal?.known ? await newestApplied(queries) : 0;
  const newest = newestOf(readMigrations(MIGRATIONS));
  if (applied > newest) throw new NewerDatabase("The Postgres database");
  if (applied < newest)
    throw new DataRefused("The Postgres database has older tables, or none; start Obelus once with it, then check it");
}

async function newestApplied(queries: Queries): Promise<number> {
  const [row] = await queries.rows<{ newest: number | null }>(
    "SELECT max(created_at) AS newest FROM __drizzle_migrations",
  );
  return row?.newest ?? 0;
}
