import { join } from "node:path";
import type { AuditedAction } from "../../../lib/access/audit.ts";
import type { Requester } from "../../../lib/access/caller.ts";
import { openForWriting } from "../connection.ts";
import { Damage } from "../data-dir/damage.ts";
import { Writer } from "../log/writer.ts";
import { isOlder, refuseNewer } from "../migrate.ts";
import { DATABASE_FILE } from "../open.ts";
import { createAuditStore } from "./audit.ts";

/**
 * Appends an audit entry for a command, on a connection of its own, also while a server is running. Tables of an older
 * version are left unchanged, so that a backup before an upgrade can be restored: returns false, and nothing was
 * written. Throws `NewerDatabase`, or SQLite's errors.
 */
export async function auditCommand(dataDir: string, action: AuditedAction, requester: Requester): Promise<boolean> {
  const connection = openForWriting(join(dataDir, DATABASE_FILE), "full");
  try {
    refuseNewer(connection);
    if (isOlder(connection)) return false;
    const writer = new Writer(connection, new Damage({ error: () => undefined }), () => undefined);
    await createAuditStore(connection, connection, writer).append(action, requester);
    return true;
  } finally {
    connection.close();
  }
}
