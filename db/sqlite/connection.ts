import Sqlite from "better-sqlite3";
import { WrongRuntime } from "../errors.ts";

export type Connection = Sqlite.Database;

// A reader never waits for the writer in WAL mode, and there is one writer; only a backup tool can hold us up.
const BUSY_TIMEOUT_MS = 5_000;

// A large import leaves a write-ahead log of its own size; past this, the file is cut once it has been taken over.
const LARGEST_IDLE_WAL = 64 * 1024 * 1024;

/**
 * Opens the database for the one writer; makes the file when it is missing. Nothing else in the process may open the file
 * but through here: two SQLite libraries in one process (`node:sqlite` beside this one) undo each other's locks and crash.
 * Throws `WrongRuntime`.
 */
export function openForWriting(file: string, durability: "full" | "normal"): Connection {
  checkRuntime();
  const connection = new Sqlite(file, { timeout: BUSY_TIMEOUT_MS });
  connection.pragma("journal_mode = WAL");
  connection.pragma(`synchronous = ${durability === "full" ? "FULL" : "NORMAL"}`);
  connection.pragma(`journal_size_limit = ${LARGEST_IDLE_WAL}`);
  // What is erased has to go from the file without writing all of it anew. Costs appending nothing that can be measured.
  connection.pragma("secure_delete = ON");
  connection.pragma(`cache_size = -${PAGES_FOR_WRITING_KB}`);
  return connection;
}

// Pages that a connection keeps, in KB. The library's own 16 MB for each of six connections were most of what was not V8's;
// what they lack is in the memory of the system. The writer keeps 16 MB: each event is put into several trees.
const PAGES_FOR_WRITING_KB = 16_000;
const PAGES_FOR_READING_KB = 4_000;

/** Opens the database for reading beside the writer. Throws `WrongRuntime`, and what SQLite does where it cannot be read. */
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

/** Opens a database of nobody else's, which goes with the connection. What memory cannot hold lies in a file of SQLite's. */
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
