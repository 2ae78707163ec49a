import { statfs } from "node:fs/promises";
import type { StorageMeasures } from "../measures.ts";
import type { Storage } from "../storage.ts";
import type { Database } from "./database.ts";
import type { PostgresWriter } from "./log/writer.ts";
import { NOT_IMPORTED } from "./queries/pending.ts";
import { countUnsearched } from "./search/unsearched.ts";

const COUNTS = `SELECT (SELECT count(*) FROM spans) AS spans,
  (SELECT count(*) FROM alerts WHERE closed_at IS NULL) AS alerts,
  pg_database_size(current_database()) AS bytes`;
const CONFIRMATIONS = `SELECT count(*) AS waiting, min(requested_at) AS oldest FROM confirmations
  JOIN events ON events.position = confirmations.position WHERE status = 'requested' AND ${NOT_IMPORTED}`;
const NOTICES = "SELECT count(*) AS unsent, min(due_at) AS oldest FROM notices WHERE sent_at IS NULL";

/** Counts the gauges of the database, and of this replica's writer, pool and disk. */
export function createMeasures(database: Database, dataDir: string, writer: PostgresWriter): Storage["measures"] {
  return async () => {
    const [[counts], [confirmations], [notices], unsearched, { bavail, bsize }] = await Promise.all([
      database.rows<Pick<StorageMeasures, "spans" | "alerts" | "bytes">>(COUNTS),
      database.rows<StorageMeasures["confirmations"]>(CONFIRMATIONS),
      database.rows<StorageMeasures["notices"]>(NOTICES),
      countUnsearched(database),
      statfs(dataDir),
    ]);
    return {
      queued: writer.queued,
      unsearched,
      ...(counts ?? { spans: 0, alerts: 0, bytes: 0 }),
      confirmations: confirmations ?? { waiting: 0, oldest: null },
      notices: notices ?? { unsent: 0, oldest: null },
      files: null,
      pool: database.pool(),
      disk: bavail * bsize,
    };
  };
}
