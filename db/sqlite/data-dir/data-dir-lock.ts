import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { DataDirLocked } from "../../errors.ts";
import { checkRuntime } from "../connection.ts";
import { makeDataDir, type Tell } from "./data-dir.ts";
import { refusedByTheSystem } from "./refused-by-the-system.ts";

/** A held data directory. */
export interface DataDirLock {
  /** Whoever held it before has not let go of it: a crash, a kill, a power cut. */
  isUnclean: boolean;
  /** `isClean`: nothing is to be looked through when it is held next. */
  release(isClean: boolean): void;
}

/**
 * Takes the data directory for this process; it is made where it is missing, and kept to its owner. The lock is the operating system's on a small SQLite file, so it ends with
 * the process however that ends; the note with the process id beside it only tells whom to stop. (The note is a file
 * of its own because closing any handle on a locked file frees its POSIX locks.) Throws `DataDirLocked`, or `DataRefused`
 * where the directory cannot be written.
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
    throw refusedByTheSystem(error, dataDir) ?? error;
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

/** The process id in the note; null when the holder has not written it yet. */
function holder(note: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(note, "utf8"), 10);
    return Number.isNaN(pid) ? null : pid;
  } catch {
    return null;
  }
}
