import { fileURLToPath } from "node:url";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { NewerDatabase } from "../errors.ts";
import type { Connection } from "./connection.ts";

const FOLDER = fileURLToPath(new URL("./migrations", import.meta.url));

/** The table in which Drizzle's own migrator keeps its journal, so that its tools go on working with our databases. */
const JOURNAL =
  "CREATE TABLE IF NOT EXISTS __drizzle_migrations (id INTEGER PRIMARY KEY, hash TEXT NOT NULL, created_at NUMERIC)";

/**
 * Brings the database to this version's tables (E5), all of it or nothing, and tells whether it had older ones: its
 * projections are to be made anew then. Throws `NewerDatabase`, before anything is changed. The migrations are Drizzle's and so is the journal; its migrator is not used, because loading it costs a
 * start 1.3 s and 150 MB that are never given back.
 */
export function migrateDatabase(connection: Connection): boolean {
  const migrations = readMigrationFiles({ migrationsFolder: FOLDER });
  const known = Math.max(...migrations.map((migration) => migration.folderMillis));
  const applied = newestApplied(connection);
  if (applied > known) throw new NewerDatabase(connection.name);
  if (applied === known) return false;
  connection.transaction(() => {
    connection.exec(JOURNAL);
    const journal = connection.prepare("INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)");
    for (const { sql, hash, folderMillis } of migrations) {
      if (folderMillis <= applied) continue;
      for (const statement of sql) connection.exec(statement);
      journal.run(hash, folderMillis);
    }
  })();
  return applied > 0;
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
