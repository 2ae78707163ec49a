import { closeSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";
import type { Connection } from "../connection.ts";

const dataSync = promisify(fdatasync);

/** Waits until commits are durable. */
export interface CommitSync {
  /** Resolves when everything committed before is on disk. Rejects with the system's error. */
  sync(): Promise<void>;
  close(): void;
}

/**
 * Syncs the write-ahead log in a thread of libuv's pool instead of in the commit: during a checkpoint, a sync took up
 * to 130 ms, and the write itself never more than 7 ms. From here on the connection commits without a sync, except for
 * the header of a log that was reset, which SQLite has to sync before the frames. The log file stays the same while the
 * connection is open. SQLite holds no locks on it, so closing it here releases none.
 */
export function syncInBackground(connection: Connection): CommitSync {
  connection.pragma("synchronous = NORMAL");
  const log = openSync(`${connection.name}-wal`, "r+");
  return {
    sync: () => dataSync(log),
    close: () => closeSync(log),
  };
}
