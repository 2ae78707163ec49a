import type { PlainDatabase, Statement } from "../plain-database.ts";
import type { Database, Queries } from "./database.ts";
import { retryDeadlocks } from "./errors.ts";
import { LOCKS } from "./locks.ts";
import type { PostgresWriter } from "./log/writer.ts";

/** Postgres for stores whose statements are the same in both storages, in transactions of their own: nothing of them is in the log. */
export function plainDatabase(database: Database, writer: Pick<PostgresWriter, "epoch">): PlainDatabase {
  return {
    rows: (text, values) => database.rows(text, values),
    write: (statements) => retryDeadlocks(() => database.transaction(true, (queries) => runAll(queries, statements))),
    epoch: () => writer.epoch(),
    writeUnlessErased: ({ id, epoch }, statements) =>
      retryDeadlocks(() =>
        database.transaction(true, async (queries) => {
          await queries.rows("SELECT pg_advisory_xact_lock_shared($1)", [LOCKS.read]);
          const [erased] = await queries.rows(IS_ERASED, [id, epoch]);
          return erased ? null : runAll(queries, statements);
        }),
      ),
    now: "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)",
    forShare: "FOR SHARE",
  };
}

async function runAll(queries: Queries, statements: readonly Statement[]): Promise<number[]> {
  const written: number[] = [];
  for (const [text, values] of statements) written.push(await queries.run(text, values));
  return written;
}

/** Whether a conversation is being erased, or was after an epoch: see `marks.ts`. */
const IS_ERASED = `SELECT 1 WHERE EXISTS (SELECT 1 FROM closed_conversations WHERE conversation_id = $1)
  OR EXISTS (SELECT 1 FROM erased_conversations WHERE name = $1 AND epoch > $2)
  OR EXISTS (SELECT 1 FROM erasure_epoch WHERE floor > $2)`;
