import type { LogWriter } from "../../log/log-writer.ts";
import { createQueueStore } from "../../log/queue-store.ts";
import type { QueueStore } from "../../repositories.ts";
import type { Connection } from "../connection.ts";

/** The queue in SQLite; it is written in the writer's transactions. */
export function createQueue(reading: Connection, writer: LogWriter): QueueStore {
  const tags = reading.prepare<[], string>("SELECT tags FROM queue WHERE tags <> ''").pluck();
  return createQueueStore(writer, {
    row: async ({ text, values }) => reading.prepare<unknown[], Record<string, unknown>>(text).get(...values),
    tags: async () => tags.all(),
  });
}
