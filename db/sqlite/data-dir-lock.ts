import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { DataDirLocked } from "../errors.ts";
import { checkRuntime } from "./connection.ts";

/** A held data directory. */
export interface DataDirLock {
  /** Whoever held it before has not let go of it: a crash, a kill, a power cut. */
  isUnclean: boolean;
  /** `isClean`: nothing is to be looked through when it is held next. */
  release(isClean: boolean): void;
}

/**
 * Takes the data directory for this process. The lock is the operating system's on a small SQLite file, so it ends with
 * the process however that ends; the note with the process id beside it only tells whom to stop. (The note is a file
 * of its own because closing any handle on a locked file frees its POSIX locks.) Throws `DataDirLocked`.
 */
export function lockDataDir(dataDir: string): DataDirLock {
  checkRuntime();
  const note = join(dataDir, "lock.pid");
  const lock = new Sqlite(join(dataDir, "lock.sqlite"), { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (error instanceof Sqlite.SqliteError && error.code.startsWith("SQLITE_BUSY"))
      throw new DataDirLocked(dataDir, holder(note));
    throw error;
  }
  const isUnclean = existsSync(note);
  writeFileSync(note, String(process.pid));
  return {
    isUnclean,
    release(isClean) {
      if (isClean) rmSync(note, { force: true });
      lock.close();
    },
  };
}

/** The process id in the note; null when the holder has not written it yet. */
function holder(note: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(note, "utf8"), 10);
    return Number.isNaN(pid) ? null : pid;
  } catch {
    return null;
  }
}
