import { join } from "node:path";
import type { Logger } from "pino";
import type { AccessStorage } from "../../../db/access.ts";
import { StorageDamaged, StorageError } from "../../../db/errors.ts";
import { openAccessStorage } from "../../../db/sqlite/access/open-access.ts";
import { refuseMoved } from "../../../db/sqlite/data-dir/moved.ts";
import { DATABASE_FILE, openStorage } from "../../../db/sqlite/open.ts";
import type { OnRebuilding, Storage, StorageOptions } from "../../../db/storage.ts";
import type { Config } from "../config.ts";
import { StartupError } from "../startup-error.ts";
import type { LogPlace } from "../threads/log-place.ts";

/** The interval of progress messages during the start, ms. */
const PROGRESS_MS = 2_000;

interface Options extends Omit<StorageOptions, "dataDir" | "durability" | "onRebuilding"> {
  logger: Logger;
}

/** Opens the storage that is configured. Throws `StartupError` for what the operator can fix. */
export async function openData(
  { database, secret, dataDir, durability }: Pick<Config, "database" | "secret" | "dataDir" | "durability">,
  { logger, ...callbacks }: Options,
): Promise<Storage> {
  const options = { ...callbacks, logger, dataDir, durability };
  try {
    if (database === null) {
      refuseMoved(dataDir);
      return await openStorage({ ...options, onRebuilding: logRebuilding(logger) });
    }
    // Imported lazily: most servers have no Postgres.
    const { openPostgres } = await import("../../../db/postgres/open.ts");
    return await openPostgres({ ...options, ...database, secret });
  } catch (error) {
    if (error instanceof StorageDamaged) throw new StartupError(damagedSentence(dataDir), { cause: error });
    if (error instanceof StorageError) throw new StartupError(`${error.message}.`, { cause: error });
    throw error;
  }
}

/** Opens users, keys and the audit, also while servers are running. Throws a `StorageError`. */
export async function openAccessData(
  { database, dataDir }: Pick<Config, "database" | "dataDir">,
  logger: Logger,
): Promise<AccessStorage> {
  if (database === null) return openAccessStorage(dataDir, logger);
  const postgres = await import("../../../db/postgres/access/open-access.ts");
  return postgres.openAccessStorage(database.url);
}

/** The data directory, for commands on its files. Throws `StartupError` if the data is in Postgres. */
export function filesOf({ database, dataDir }: Pick<Config, "database" | "dataDir">): string {
  if (database === null) return dataDir;
  throw new StartupError(
    "This command is for SQLite, and OBELUS_DATABASE_URL names a Postgres database: see docs/scaling.md for what to use there.",
  );
}

/** Where a thread of its own reads the log. */
export function logPlaceOf({ database, dataDir }: Pick<Config, "database" | "dataDir">): LogPlace {
  return database === null ? { file: join(dataDir, DATABASE_FILE) } : { url: database.url };
}

function damagedSentence(dataDir: string): string {
  return `The database in ${dataDir} is damaged and was left unchanged. Run npm run check for details. To restore a backup, move ${dataDir} and run npm run restore -- BACKUP. To start empty, set OBELUS_DATA_DIR to another directory.`;
}

/** Logs the progress of rebuilding projections, which an upgrade may require. */
function logRebuilding(logger: Logger): OnRebuilding {
  let told = performance.now();
  return ({ projection, done, total }) => {
    if (performance.now() - told < PROGRESS_MS) return;
    told = performance.now();
    const percent = Math.floor((100 * done) / Math.max(1, total));
    logger.info({ projection, done, total }, `Rebuilding ${projection} from the log: ${percent} %`);
  };
}
