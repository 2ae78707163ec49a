import { fileURLToPath } from "node:url";
import { NewerDatabase } from "../errors.ts";
import { newestOf, readMigrations } from "../migrations.ts";
import type { Connection } from "./connection.ts";
import { MIGRATION_REBUILDS, requireRebuild } from "./projections/pending-rebuilds.ts";

/** The folder of the migrations. */
export const MIGRATIONS = fileURLToPath(new URL("./migrations", import.meta.url));

/** The table of Drizzle's migrator, so that its tools work with our databases. */
const JOURNAL =
  "CREATE TABLE IF NOT EXISTS __drizzle_migrations (id INTEGER PRIMARY KEY, hash TEXT NOT NULL, created_at NUMERIC)";

/**
 * Migrates the database to this version's schema (E5) in one transaction, and records which projections have to be
 * rebuilt. Throws `NewerDatabase` before any change. The migrations and the journal are Drizzle's; its migrator is not
 * used, because loading it takes 1.3 s and 150 MB that are never released.
 */
export function migrateDatabase(connection: Connection): void {
  const migrations = readMigrations(MIGRATIONS);
  refuseNewer(connection, migrations);
  const applied = newestApplied(connection);
  if (!migrations.some(({ when }) => when > applied)) return;
  connection.transaction(() => {
    connection.exec(JOURNAL);
    const journal = connection.prepare("INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)");
    for (const { tag, sql, hash, when } of migrations) {
      if (when <= applied) continue;
      for (const statement of sql) connection.exec(statement);
      journal.run(hash, when);
      if (applied > 0) requireRebuild(connection, needsOf(tag));
    }
  })();
}

/** Throws `NewerDatabase` where a newer version of the program has made the tables. */
export function refuseNewer(connection: Connection, migrations = readMigrations(MIGRATIONS)): void {
  if (newestApplied(connection) > newestOf(migrations)) throw new NewerDatabase(connection.name);
}

/** Whether the schema is older: the next start migrates it. */
export function isOlder(connection: Connection): boolean {
  return newestApplied(connection) < newestOf(readMigrations(MIGRATIONS));
}

function needsOf(tag: string) {
  const needs = MIGRATION_REBUILDS[tag];
  if (!needs) throw new Error(`pending-rebuilds.ts does not say what the migration ${tag} has to rebuild`);
  return needs;
}

/** When the newest applied migration was written, in epoch ms; 0 for an empty database. */
function newestApplied(connection: Connection): number {
  const journal = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = '__drizzle_migrations'").get();
  if (!journal) return 0;
  const newest = connection
    .prepare<[], number | null>("SELECT max(created_at) FROM __drizzle_migrations")
    .pluck()
    .get();
  return newest ?? 0;
}
