import { statSync } from "node:fs";
import type { StorageLogger } from "../../storage.ts";
import type { Connection } from "../connection.ts";
import { isDiskError } from "../log/writer.ts";
import { markRebuilt, needsFileRewrite } from "../projections/pending-rebuilds.ts";

/**
 * Rewrites the file of an older version once, since that version did not clear freed pages. If there is no space for
 * it, the next start tries again, and erasures wait for it.
 */
export function rewriteFileOnce(connection: Connection, logger: StorageLogger): void {
  if (!needsFileRewrite(connection)) return;
  const bytes = statSync(connection.name).size;
  logger.warn({ bytes }, "Rewriting the database once to overwrite content deleted by older versions");
  try {
    connection.exec("VACUUM");
    connection.pragma("wal_checkpoint(TRUNCATE)");
    markRebuilt(connection, ["file"]);
  } catch (error) {
    if (!isDiskError(error)) throw error;
    logger.warn(
      { err: error, bytes },
      "Not enough disk space to rewrite the database; erasures wait for a start with as much free space as its size",
    );
  }
}
