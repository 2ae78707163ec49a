import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AccessStorage } from "../../access.ts";
import { DataDirLocked } from "../../errors.ts";
import type { StorageLogger } from "../../storage.ts";
import { type Connection, openForWriting } from "../connection.ts";
import { Damage } from "../data-dir/damage.ts";
import { type DataDirLock, lockDataDir } from "../data-dir/data-dir-lock.ts";
import { fileSystemError } from "../data-dir/file-system-error.ts";
import { Writer } from "../log/writer.ts";
import { isOlder, migrateDatabase, refuseNewer } from "../migrate.ts";
import { DATABASE_FILE } from "../open.ts";
import { createKeyStore } from "./api-keys.ts";
import { createAuditStore } from "./audit.ts";
import { createUserStore } from "./users.ts";

/** A running server may be storing an import, for which other writers wait; ms. */
const PATIENCE_MS = 60_000;

/**
 * Opens users, keys and the audit log of a data directory. If no server uses it, it is locked, created if missing, and
 * migrated; otherwise it is written beside the server, which reads it for each request. Throws `DataDirLocked` if the
 * server has another version, or has not created the database yet; `DataRefused`, `NewerDatabase` or `WrongRuntime`.
 */
export async function openAccessStorage(dataDir: string, logger: StorageLogger): Promise<AccessStorage> {
  const file = join(dataDir, DATABASE_FILE);
  const lock = lockUnlessHeld(dataDir, logger);
  let connection: Connection | null = null;
  try {
    if (lock === null && !existsSync(file)) throw new DataDirLocked(dataDir, null);
    connection = openForWriting(file, "full");
    connection.pragma(`busy_timeout = ${PATIENCE_MS}`);
    if (lock !== null) migrateDatabase(connection);
    refuseNewer(connection);
    // Locked by an older version, or by one that is about to create it.
    if (isOlder(connection)) throw new DataDirLocked(dataDir, null);
    return assemble(connection, lock, logger);
  } catch (error) {
    connection?.close();
    lock?.release(!lock.isUnclean);
    throw fileSystemError(error, dataDir) ?? error;
  }
}

function assemble(connection: Connection, lock: DataDirLock | null, logger: StorageLogger): AccessStorage {
  const writer = new Writer(connection, new Damage(logger), () => undefined);
  return {
    users: createUserStore(connection, connection, writer),
    keys: createKeyStore(connection, connection, writer),
    audit: createAuditStore(connection, connection, writer),
    async close() {
      await writer.close();
      connection.close();
      lock?.release(!lock.isUnclean);
    },
  };
}

/** Null: a server has the lock. */
function lockUnlessHeld(dataDir: string, logger: StorageLogger): DataDirLock | null {
  try {
    return lockDataDir(dataDir, (sentence) => logger.warn({ data_dir: dataDir }, sentence));
  } catch (error) {
    if (error instanceof DataDirLocked) return null;
    throw error;
  }
}
