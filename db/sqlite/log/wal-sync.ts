import { closeSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";
import type { Connection } from "../connection.ts";

const dataSync = promisify(fdatasync);

/** Waits for the disk to have what was committed. */
export interface CommitSync {
  /** Resolves when everything committed before is on disk. Rejects with what the system says when it cannot be. */
  sync(): Promise<void>;
  close(): void;
}

/**
 * Syncs the write-ahead log in a thread of libuv's pool instead of inside the commit: beside a checkpoint, a disk took up to
 * 130 ms for a sync, and never more than 7 ms for the write itself. From here on the connection leaves commits unsynced, except for
 * the header of a log that begins anew, which SQLite has to sync before the frames.
 *
 * The log's file exists, and is the same one, for as long as the connection is open. SQLite holds no locks on it, which
 * closing it here would undo.
 */
export function syncInBackground(connection: Connection): CommitSync {
  connection.pragma("synchronous = NORMAL");
  const log = openSync(`${connection.name}-wal`, "r+");
  return {
    sync: () => dataSync(log),
    close: () => closeSync(log),
  };
}
