import type { LogWriter } from "../../log/log-writer.ts";
import { createQueueStore } from "../../log/queue-store.ts";
import { countViews } from "../../queries/queue-row.ts";
import type { QueueCounts, QueueStore } from "../../repositories.ts";
import type { Queries } from "../database.ts";
import { select } from "./select.ts";

export function createQueue(queries: Queries, writer: LogWriter): QueueStore {
  return createQueueStore(writer, {
    async counts(me, now) {
      const [counts] = await select<QueueCounts>(queries, countViews(me, now));
      if (!counts) throw new Error("Counts have no row");
      return counts;
    },
    async tags() {
      const rows = await queries.rows<{ tags: string }>("SELECT tags FROM queue WHERE tags <> ''");
      return rows.map(({ tags }) => tags);
    },
  });
}
