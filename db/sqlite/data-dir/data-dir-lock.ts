import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { DataDirLocked } from "../../errors.ts";
import { checkRuntime } from "../connection.ts";
import { makeDataDir, type Tell } from "./data-dir.ts";
import { fileSystemError } from "./file-system-error.ts";

/** A lock on a data directory. */
export interface DataDirLock {
  /** The previous holder did not release it: a crash, a kill, or a power cut. */
  isUnclean: boolean;
  /** `isClean`: the next holder need not check the database. */
  release(isClean: boolean): void;
}

/**
 * Locks the data directory for this process; it is created if missing, readable by its owner only. The lock is the
 * operating system's on a small SQLite file, so it ends with the process. The file with the process id beside it only
 * says which process to stop. (It is a separate file because closing any handle of a locked file releases its POSIX
 * locks.) Throws `DataDirLocked`, or `DataRefused` if the directory cannot be written.
 */
export function lockDataDir(dataDir: string, tell: Tell): DataDirLock {
  checkRuntime();
  makeDataDir(dataDir, tell);
  const note = join(dataDir, "lock.pid");
  let lock: Sqlite.Database | null = null;
  let isUnclean: boolean;
  try {
    lock = new Sqlite(join(dataDir, "lock.sqlite"), { timeout: 0 });
    lock.exec("BEGIN EXCLUSIVE");
    isUnclean = existsSync(note);
    writeFileSync(note, String(process.pid));
  } catch (error) {
    lock?.close();
    if (error instanceof Sqlite.SqliteError && error.code.startsWith("SQLITE_BUSY"))
      throw new DataDirLocked(dataDir, holder(note));
    throw fileSystemError(error, dataDir) ?? error;
  }
  const held = lock;
  return {
    isUnclean,
    release(isClean) {
      if (isClean) rmSync(note, { force: true });
      held.close();
    },
  };
}

/** The process id in the file; null if the holder has not written it yet. */
function holder(note: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(note, "utf8"), 10);
    return Number.isNaN(pid) ? null : pid;
  } catch {
    return null;
  }
}
