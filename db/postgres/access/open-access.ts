import type { AccessStorage } from "../../access.ts";
import { AS_IT_COMES } from "../../payload/stored-payload.ts";
import { openDatabase } from "../database.ts";
import { openError } from "../errors.ts";
import { PostgresWriter } from "../log/writer.ts";
import { migrateDatabase, refuseOther } from "../migrate.ts";
import { createKeyStore } from "./api-keys.ts";
import { createAuditStore } from "./audit.ts";
import { createUserStore } from "./users.ts";

/**
 * Opens users, keys and the audit log of a database, beside any replicas, and brings its tables up to date. Throws
 * `NewerDatabase`, or `DataRefused` if the database cannot be used.
 */
export async function openAccessStorage(url: string): Promise<AccessStorage> {
  const database = openDatabase(url, () => undefined, 1);
  try {
    await refuseOther(database);
    await migrateDatabase(database);
  } catch (error) {
    await database.close();
    throw openError(error, url) ?? error;
  }
  const writer = new PostgresWriter(database, "full", AS_IT_COMES, () => undefined);
  return {
    users: createUserStore(database, writer),
    keys: createKeyStore(database, writer),
    audit: createAuditStore(database, writer),
    async close() {
      await writer.close();
      await database.close();
    },
  };
}
