import { fileURLToPath } from "node:url";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { NewerDatabase } from "../errors.ts";
import type { Connection } from "./connection.ts";

const FOLDER = fileURLToPath(new URL("./migrations", import.meta.url));

/** Brings the database to this version's tables (E5). Throws `NewerDatabase`, before anything is changed. */
export async function migrateDatabase(connection: Connection): Promise<void> {
  const known = Math.max(
    ...readMigrationFiles({ migrationsFolder: FOLDER }).map((migration) => migration.folderMillis),
  );
  const applied = newestApplied(connection);
  if (applied > known) throw new NewerDatabase(connection.name);
  if (applied === known) return;
  // Loading Drizzle takes a quarter of a second, which only a start with something to migrate has to wait for.
  const [{ drizzle }, { migrate }] = await Promise.all([
    import("drizzle-orm/better-sqlite3"),
    import("drizzle-orm/better-sqlite3/migrator"),
  ]);
  migrate(drizzle(connection), { migrationsFolder: FOLDER });
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
