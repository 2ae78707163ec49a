import type { PlainTables } from "../plain-tables.ts";
import type { Database } from "./database.ts";

/** Tables beside the log in Postgres, in transactions of their own. */
export function createPlainTables(database: Database): PlainTables {
  return {
    rows: (text, values) => database.rows(text, values),
    write: (statements) =>
      database.transaction(true, async (queries) => {
        const written: number[] = [];
        for (const [text, values] of statements) written.push(await queries.run(text, values));
        return written;
      }),
    now: "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)",
  };
}
