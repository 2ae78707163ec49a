import type { PlainDatabase } from "../plain-database.ts";
import type { Database } from "./database.ts";

/** Postgres for stores whose statements are the same in both storages, in transactions of their own: nothing of them is in the log. */
export function plainDatabase(database: Database): PlainDatabase {
  return {
    rows: (text, values) => database.rows(text, values),
    write: (statements) =>
      database.transaction(true, async (queries) => {
        const written: number[] = [];
        for (const [text, values] of statements) written.push(await queries.run(text, values));
        return written;
      }),
    now: "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)",
    forShare: "FOR SHARE",
  };
}
