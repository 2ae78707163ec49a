import type { LogWriter } from "../../log/log-writer.ts";
import { createQueueStore } from "../../log/queue-store.ts";
import type { QueueStore } from "../../repositories.ts";
import type { Queries } from "../database.ts";
import { select } from "./select.ts";

export function createQueue(queries: Queries, writer: LogWriter): QueueStore {
  return createQueueStore(writer, {
    row: async (query) => (await select<Record<string, unknown>>(queries, query))[0],
    async tags() {
      const rows = await queries.rows<{ tags: string }>("SELECT tags FROM queue WHERE tags <> ''");
      return rows.map(({ tags }) => tags);
    },
  });
}
