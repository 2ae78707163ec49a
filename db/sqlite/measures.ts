import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { StorageMeasures } from "../measures.ts";
import type { Connection } from "./connection.ts";
import type { Writer } from "./log/writer.ts";
import { countOpenAlerts } from "./queries/alerts.ts";
import { NOT_IMPORTED } from "./queries/confirmations.ts";
import { countUnsearched } from "./search/unsearched.ts";

/** Counts what storage holds and how far behind it is: each count stays within an index of what is open. */
export function createMeasures(reading: Connection, file: string, writer: Writer): () => StorageMeasures {
  const spans = reading.prepare<[], number>("SELECT count(*) FROM spans").pluck();
  const confirmations = reading.prepare<[], StorageMeasures["confirmations"]>(
    `SELECT count(*) AS waiting, min(requested_at) AS oldest FROM confirmations
       JOIN events ON events.position = confirmations.position WHERE status = 'requested' AND ${NOT_IMPORTED}`,
  );
  const notices = reading.prepare<[], StorageMeasures["notices"]>(
    "SELECT count(*) AS unsent, min(due_at) AS oldest FROM notices WHERE sent_at IS NULL",
  );
  return () => {
    const page = sizeOf(reading, "page_size");
    const { bavail, bsize } = statfsSync(dirname(file));
    return {
      queued: writer.queued,
      unsearched: countUnsearched(reading),
      spans: spans.get() ?? 0,
      confirmations: confirmations.get() ?? { waiting: 0, oldest: null },
      alerts: countOpenAlerts(reading),
      notices: notices.get() ?? { unsent: 0, oldest: null },
      file: { bytes: page * sizeOf(reading, "page_count"), free: page * sizeOf(reading, "freelist_count") },
      wal: statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0,
      disk: bavail * bsize,
    };
  };
}

function sizeOf(connection: Connection, pragma: "page_size" | "page_count" | "freelist_count"): number {
  return Number(connection.pragma(pragma, { simple: true }));
}
