import { existsSync } from "node:fs";
import { join } from "node:path";
import { openForWriting } from "./connection.ts";
import { lockDataDir } from "./data-dir-lock.ts";
import { removeUnfinishedForks } from "./fork.ts";
import { migrateDatabase } from "./migrate.ts";
import { DATABASE_FILE } from "./open.ts";
import { type Rebuilt, rebuildProjections } from "./rebuild-projections.ts";

/**
 * Makes every projection of a data directory anew from its log (E4): conversations, messages, search, agent state and
 * confirmations; snapshots are dropped and come again by themselves. One transaction. Null: there is no database. Throws
 * `DataDirLocked` while a server runs on it, `NewerDatabase` or `WrongRuntime`.
 */
export async function rebuildDataDir(dataDir: string): Promise<Rebuilt | null> {
  const file = join(dataDir, DATABASE_FILE);
  if (!existsSync(file)) return null;
  const lock = lockDataDir(dataDir);
  try {
    const writing = openForWriting(file, "full");
    migrateDatabase(writing);
    removeUnfinishedForks(writing);
    const rebuilt = rebuildProjections(writing);
    writing.close();
    return rebuilt;
  } finally {
    lock.release();
  }
}
