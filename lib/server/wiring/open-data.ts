import type { Logger } from "pino";
import { StorageDamaged, StorageError } from "../../../db/errors.ts";
import { openStorage } from "../../../db/sqlite/open.ts";
import type { OnRebuilding, Storage, StorageOptions } from "../../../db/storage.ts";
import { StartupError } from "../startup-error.ts";

/** The interval of progress messages during the start, ms. */
const PROGRESS_MS = 2_000;

interface Options extends StorageOptions {
  logger: Logger;
}

/** Opens storage. Throws `StartupError` for what the operator can fix. */
export async function openData(options: Options): Promise<Storage> {
  const { dataDir, logger } = options;
  try {
    return await openStorage({ ...options, onRebuilding: logRebuilding(logger) });
  } catch (error) {
    if (error instanceof StorageDamaged) throw new StartupError(damagedSentence(dataDir), { cause: error });
    if (error instanceof StorageError) throw new StartupError(`${error.message}.`, { cause: error });
    throw error;
  }
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
