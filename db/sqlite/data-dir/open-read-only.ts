import { accessSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { DataRefused } from "../../errors.ts";
import { type Connection, openForReading } from "../connection.ts";

/** A database that is opened read-only. */
interface ReadOnlyDatabase {
  connection: Connection;
  close(): void;
}

/**
 * Opens the database of a data directory for a command that only reads it. On a read-only file system SQLite cannot
 * create the shared-memory file, so a copy in `TMPDIR` is read, which `close` removes. Throws `DataRefused` if there is
 * no space for it.
 */
export function openReadOnly(file: string): ReadOnlyDatabase {
  try {
    const connection = openForReading(file);
    return { connection, close: () => connection.close() };
  } catch (error) {
    if (isWritable(dirname(file))) throw error;
    return openCopy(file);
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function openCopy(file: string): ReadOnlyDatabase {
  let folder: string | null = null;
  try {
    folder = mkdtempSync(join(tmpdir(), "obelus-read-only-"));
    const copy = join(folder, basename(file));
    copyFileSync(file, copy);
    // Not checkpointed yet: a server ended without closing.
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`);
    return copied(openForReading(copy), folder);
  } catch (error) {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
    throw new DataRefused(
      `${file} cannot be opened in place, because its folder is not writable, and could not be copied to ${tmpdir()}; set TMPDIR to a folder with enough space`,
      { cause: error },
    );
  }
}

function copied(connection: Connection, folder: string): ReadOnlyDatabase {
  return {
    connection,
    close() {
      connection.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
