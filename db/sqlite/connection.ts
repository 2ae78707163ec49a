import Sqlite from "better-sqlite3";
import { WrongRuntime } from "../errors.ts";

export type Connection = Sqlite.Database;

// In WAL mode readers do not wait for the writer, and there is one writer: only a backup tool can block us.
const BUSY_TIMEOUT_MS = 5_000;

// After a large import the write-ahead log is large; above this size it is truncated after a checkpoint.
const LARGEST_IDLE_WAL = 64 * 1024 * 1024;

/**
 * Opens the database for the one writer; creates the file if it is missing. Nothing else in the process may open the
 * file in another way: two SQLite libraries in one process (such as `node:sqlite`) release each other's locks and
 * crash. Throws `WrongRuntime`.
 */
export function openForWriting(file: string, durability: "full" | "normal"): Connection {
  checkRuntime();
  const connection = new Sqlite(file, { timeout: BUSY_TIMEOUT_MS });
  connection.pragma("journal_mode = WAL");
  connection.pragma(`synchronous = ${durability === "full" ? "FULL" : "NORMAL"}`);
  connection.pragma(`journal_size_limit = ${LARGEST_IDLE_WAL}`);
  // Erased content has to be overwritten without a VACUUM. This costs nothing measurable when appending.
  connection.pragma("secure_delete = ON");
  connection.pragma(`cache_size = -${PAGES_FOR_WRITING_KB}`);
  return connection;
}

// Page cache per connection, KB. The library's default of 16 MB for each of six connections was most of the memory
// outside V8, and the system caches the file as well. The writer keeps 16 MB, as each event is inserted into several
// trees.
const PAGES_FOR_WRITING_KB = 16_000;
const PAGES_FOR_READING_KB = 4_000;

/**
 * Opens the database for reading beside the writer. Throws `WrongRuntime`, and SQLite's errors if it cannot be read.
 */
export function openForReading(file: string): Connection {
  checkRuntime();
  const connection = new Sqlite(file, { timeout: BUSY_TIMEOUT_MS, readonly: true, fileMustExist: true });
  try {
    connection.pragma("schema_version");
    connection.pragma(`cache_size = -${PAGES_FOR_READING_KB}`);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Opens a private temporary database that is deleted with the connection. It spills to a temporary file. */
export function openTemporary(): Connection {
  checkRuntime();
  const connection = new Sqlite("");
  connection.pragma("journal_mode = OFF");
  connection.pragma("synchronous = OFF");
  return connection;
}

/** better-sqlite3 13 crashes the whole process on Node 20, so it must not even be loaded there. Throws `WrongRuntime`. */
export function checkRuntime(): void {
  const major = Number.parseInt(process.versions.node, 10);
  if (major < 24) throw new WrongRuntime(process.versions.node);
}
