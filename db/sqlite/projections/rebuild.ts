import { existsSync } from "node:fs";
import { join } from "node:path";
import type { OnRebuilding } from "../../storage.ts";
import { openForWriting } from "../connection.ts";
import type { Tell } from "../data-dir/data-dir.ts";
import { lockDataDir } from "../data-dir/data-dir-lock.ts";
import { fileSystemError } from "../data-dir/file-system-error.ts";
import { migrateDatabase } from "../migrate.ts";
import { DATABASE_FILE } from "../open.ts";
import { removeUnfinished } from "../unfinished.ts";
import { PROJECTIONS } from "./pending-rebuilds.ts";
import { type Rebuilt, rebuildProjections } from "./rebuild-projections.ts";

/**
 * Rebuilds all projections of a data directory from its log (E4) in one transaction: conversations, messages, agent
 * state and confirmations. Snapshots and the search index are dropped and recreated in the background. Null: there is
 * no database. Throws `DataDirLocked` while a server runs on it, `NewerDatabase` or `WrongRuntime`.
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
    throw fileSystemError(error, dataDir) ?? error;
  } finally {
    lock.release(!lock.isUnclean);
  }
}
