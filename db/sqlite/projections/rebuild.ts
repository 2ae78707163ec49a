import { existsSync } from "node:fs";
import { join } from "node:path";
import type { OnRebuilding } from "../../storage.ts";
import { openForWriting } from "../connection.ts";
import type { Tell } from "../data-dir/data-dir.ts";
import { lockDataDir } from "../data-dir/data-dir-lock.ts";
import { refusedByTheSystem } from "../data-dir/refused-by-the-system.ts";
import { migrateDatabase } from "../migrate.ts";
import { DATABASE_FILE } from "../open.ts";
import { removeUnfinished } from "../unfinished.ts";
import { PROJECTIONS } from "./pending-rebuilds.ts";
import { type Rebuilt, rebuildProjections } from "./rebuild-projections.ts";

/**
 * Makes every projection of a data directory anew from its log (E4): conversations, messages, agent state and
 * confirmations; snapshots and the index of the search are dropped and come again by themselves. One transaction. Null: there is no database. Throws
 * `DataDirLocked` while a server runs on it, `NewerDatabase` or `WrongRuntime`.
 */
export async function rebuildDataDir(
  dataDir: string,
  onProgress?: OnRebuilding,
  tell: Tell = () => undefined,
): Promise<Rebuilt | null> {
  const file = join(dataDir, DATABASE_FILE);
  if (!existsSync(file)) return null;
  const lock = lockDataDir(dataDir, tell);
  try {
    const writing = openForWriting(file, "full");
    migrateDatabase(writing);
    removeUnfinished(writing);
    const rebuilt = rebuildProjections(writing, PROJECTIONS, onProgress);
    writing.close();
    return rebuilt;
  } catch (error) {
    throw refusedByTheSystem(error, dataDir) ?? error;
  } finally {
    lock.release(!lock.isUnclean);
  }
}
