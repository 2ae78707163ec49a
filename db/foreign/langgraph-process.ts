import { constants, setPriority } from "node:os";
import { Worker } from "node:worker_threads";
import Database from "better-sqlite3";
import type { CheckpointRow, CheckpointsReply } from "./langgraph.ts";

// The process that reads a LangGraph checkpoint file. A SQLite query can only be interrupted by killing its process,
// and the file is untrusted.

const COLUMNS = {
  checkpoints: [
    "thread_id",
    "checkpoint_ns",
    "checkpoint_id",
    "parent_checkpoint_id",
    "type",
    "checkpoint",
    "metadata",
  ],
  writes: ["thread_id", "checkpoint_ns", "checkpoint_id", "idx", "channel", "type", "value"],
};

/** The maximum length of a thread. Prevents endless loops over rows that are each other's parents. */
const LONGEST_LINE = 100_000;
/** The maximum size of a line of an import, as a checkpoint is parsed at once. */
const MOST_BYTES = 5 * 1024 * 1024;
/** The approximate size of a reply with rows, in characters. */
const REPLY_LENGTH = 64 * 1024;
/** The size of a row without its checkpoint. */
const ROW_LENGTH = 200;
/** The limit of SQLite's memory, bytes. */
const MOST_MEMORY = 256 * 1024 * 1024;

/** Ends the process when its parent has exited, also in the middle of a query. */
const WATCH = `
  const parent = require("node:worker_threads").workerData;
  setInterval(() => process.ppid === parent || process.kill(process.pid, "SIGKILL"), 1_000);`;

/** The file is not valid. */
class Refused extends Error {}

new Worker(WATCH, { eval: true, workerData: process.ppid }).unref();
process.once("disconnect", () => process.exit());
// Messages from the server are handled first.
setPriority(constants.priority.PRIORITY_LOW);
const rows = readFile(process.argv[2] ?? "");
process.on("message", () => process.send?.(reply()));

function reply(): CheckpointsReply {
  try {
    return { rows: nextRows() };
  } catch (error) {
    if (error instanceof Refused) return { refused: error.message };
    if (error instanceof Database.SqliteError) return { refused: `this SQLite file is damaged: ${error.message}` };
    throw error;
  }
}

/** Empty at the end. */
function nextRows(): CheckpointRow[] {
  const found: CheckpointRow[] = [];
  for (let length = 0; length < REPLY_LENGTH; ) {
    const next = rows.next();
    if (next.done) break;
    found.push(next.value);
    length += ROW_LENGTH + next.value.checkpoint.length;
  }
  return found;
}

function* readFile(file: string): Generator<CheckpointRow> {
  const sqlite = new Database(file, { readonly: true });
  for (const pragma of ["trusted_schema = OFF", "cell_size_check = ON", `hard_heap_limit = ${MOST_MEMORY}`])
    sqlite.pragma(pragma);
  checkTables(sqlite);
  yield* rowsOf(sqlite);
}

function checkTables(sqlite: Database.Database): void {
  // Views and virtual tables execute code of the file's author, and so do computed columns, which `table_info` leaves
  // out.
  const kind = sqlite
    .prepare<[string], string>("SELECT type FROM pragma_table_list WHERE schema = 'main' AND name = ? COLLATE NOCASE")
    .pluck();
  for (const [table, columns] of Object.entries(COLUMNS)) {
    const found = kind.get(table);
    if (found !== "table") throw new Refused(`this SQLite file has no table ${table}; ${ONLY_THOSE}`);
    const has = new Set(sqlite.prepare<[string], string>("SELECT name FROM pragma_table_info(?)").pluck().all(table));
    const missing = columns.find((column) => !has.has(column));
    if (missing !== undefined) throw new Refused(`this SQLite file has no column ${table}.${missing}; ${ONLY_THOSE}`);
  }
}

const ONLY_THOSE = "only files of LangGraph's checkpoint saver are supported";

function* rowsOf(sqlite: Database.Database): Generator<CheckpointRow> {
  const threads = sqlite
    .prepare<[], string>("SELECT DISTINCT thread_id FROM checkpoints WHERE checkpoint_ns = '' ORDER BY thread_id")
    .pluck();
  const line = sqlite.prepare<
    { thread: string; longest: number; most: number },
    Omit<CheckpointRow, "stops"> & { size: number }
  >(`
    WITH RECURSIVE line (id, parent, depth) AS (
      SELECT checkpoint_id, parent_checkpoint_id, 0 FROM checkpoints
      WHERE thread_id = @thread AND checkpoint_ns = '' AND checkpoint_id =
        (SELECT max(checkpoint_id) FROM checkpoints WHERE thread_id = @thread AND checkpoint_ns = '')
      UNION ALL
      SELECT c.checkpoint_id, c.parent_checkpoint_id, depth + 1 FROM line
      JOIN checkpoints c ON c.thread_id = @thread AND c.checkpoint_ns = '' AND c.checkpoint_id = line.parent
      WHERE depth < @longest
    )
    SELECT c.thread_id, c.checkpoint_id, c.type, octet_length(c.checkpoint) + octet_length(c.metadata) AS size,
      CASE WHEN octet_length(c.checkpoint) <= @most THEN CAST(c.checkpoint AS TEXT) END AS checkpoint,
      CASE WHEN octet_length(c.metadata) <= @most THEN CAST(c.metadata AS TEXT) END AS metadata
    FROM line JOIN checkpoints c ON c.thread_id = @thread AND c.checkpoint_ns = '' AND c.checkpoint_id = line.id
    ORDER BY depth DESC`);
  // The first one shows how the thread ends.
  const stops = sqlite.prepare<[string, string, number], CheckpointRow["stops"][number]>(`
    SELECT channel, type, CAST(value AS TEXT) AS value FROM writes
    WHERE thread_id = ? AND checkpoint_ns = '' AND checkpoint_id = ? AND channel IN ('__error__', '__interrupt__')
      AND octet_length(value) <= ?
    ORDER BY task_id, idx LIMIT 1`);
  for (const thread of threads.iterate())
    for (const { size, ...row } of line.iterate({ thread, longest: LONGEST_LINE, most: MOST_BYTES })) {
      if (size > MOST_BYTES)
        throw new Refused(
          `the checkpoint ${row.checkpoint_id} of the thread ${row.thread_id} has more than ${MOST_BYTES / 1024 / 1024} MB; remove the thread from the file`,
        );
      yield { ...row, stops: stops.all(row.thread_id, row.checkpoint_id, MOST_BYTES) };
    }
}
