import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import Database from "better-sqlite3";

/** A file of SQLite that is not what it has to be. `message` is a sentence without its full stop. */
export class UnreadableFile extends Error {
  readonly code = "unreadable_file";
}

/** A checkpoint of a thread's main graph, as LangGraph's saver for SQLite stores it. */
export interface CheckpointRow {
  thread_id: string;
  checkpoint_id: string;
  /** How the checkpoint is written: `json`. */
  type: string | null;
  checkpoint: string;
  metadata: string;
  /** What was written beside it and not taken up: why the thread stands still there, oldest first. */
  stops: { channel: string; type: string | null; value: string }[];
}

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

/** No thread has more; rows that name each other as parents would have no end. */
const LONGEST_LINE = 100_000;

/**
 * Reads the checkpoints of each thread from a file of LangGraph's saver, oldest first: those that lead to the newest one,
 * as a thread that was gone back in has others as well. The bytes are kept in a temporary file meanwhile, which is only read.
 * Throws `UnreadableFile`.
 */
export async function* readCheckpoints(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<CheckpointRow> {
  const directory = await mkdtemp(join(tmpdir(), "obelus-import-"));
  try {
    const file = join(directory, "checkpoints.sqlite");
    await pipeline(Readable.from(bytes, { objectMode: false }), createWriteStream(file, { mode: 0o600 }));
    yield* readFile(file);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function* readFile(file: string): Generator<CheckpointRow> {
  try {
    const sqlite = new Database(file, { readonly: true });
    try {
      checkTables(sqlite);
      yield* rowsOf(sqlite);
    } finally {
      sqlite.close();
    }
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    throw new UnreadableFile(`this file of SQLite is damaged: ${error.message}`, { cause: error });
  }
}

function checkTables(sqlite: Database.Database): void {
  for (const [table, columns] of Object.entries(COLUMNS)) {
    const found = new Set(sqlite.prepare<[string], string>("SELECT name FROM pragma_table_info(?)").pluck().all(table));
    const missing = columns.find((column) => !found.has(column));
    if (missing !== undefined)
      throw new UnreadableFile(
        `this file of SQLite has no ${found.size === 0 ? `table ${table}` : `column ${table}.${missing}`}; of such files only those of LangGraph's checkpoint saver are read`,
      );
  }
}

function* rowsOf(sqlite: Database.Database): Generator<CheckpointRow> {
  const threads = sqlite
    .prepare<[], string>("SELECT DISTINCT thread_id FROM checkpoints WHERE checkpoint_ns = '' ORDER BY thread_id")
    .pluck();
  const line = sqlite.prepare<{ thread: string; longest: number }, Omit<CheckpointRow, "stops">>(`
    WITH RECURSIVE line (id, parent, depth) AS (
      SELECT checkpoint_id, parent_checkpoint_id, 0 FROM checkpoints
      WHERE thread_id = @thread AND checkpoint_ns = '' AND checkpoint_id =
        (SELECT max(checkpoint_id) FROM checkpoints WHERE thread_id = @thread AND checkpoint_ns = '')
      UNION ALL
      SELECT c.checkpoint_id, c.parent_checkpoint_id, depth + 1 FROM line
      JOIN checkpoints c ON c.thread_id = @thread AND c.checkpoint_ns = '' AND c.checkpoint_id = line.parent
      WHERE depth < @longest
    )
    SELECT c.thread_id, c.checkpoint_id, c.type, CAST(c.checkpoint AS TEXT) AS checkpoint, CAST(c.metadata AS TEXT) AS metadata
    FROM line JOIN checkpoints c ON c.thread_id = @thread AND c.checkpoint_ns = '' AND c.checkpoint_id = line.id
    ORDER BY depth DESC`);
  const stops = sqlite.prepare<[string, string], CheckpointRow["stops"][number]>(`
    SELECT channel, type, CAST(value AS TEXT) AS value FROM writes
    WHERE thread_id = ? AND checkpoint_ns = '' AND checkpoint_id = ? AND channel IN ('__error__', '__interrupt__')
    ORDER BY task_id, idx`);
  for (const thread of threads.all())
    for (const row of line.iterate({ thread, longest: LONGEST_LINE }))
      yield { ...row, stops: stops.all(row.thread_id, row.checkpoint_id) };
}
