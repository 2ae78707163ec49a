import { createSuiteStore as createStore } from "../suites/suite-store.ts";
import type { SuiteStore } from "../suites.ts";
import type { Database } from "./database.ts";

/** Suites in Postgres, in transactions of their own: nothing of them is in the log. */
export function createSuiteStore(database: Database): SuiteStore {
  return createStore({
    rows: (text, values) => database.rows(text, values),
    write: (statements) =>
      database.transaction(true, async (queries) => {
        const written: number[] = [];
        for (const [text, values] of statements) written.push(await queries.run(text, values));
        return written;
      }),
    now: "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)",
  });
}
