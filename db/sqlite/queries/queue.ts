import type { LogWriter } from "../../log/log-writer.ts";
import { createQueueStore } from "../../log/queue-store.ts";
import { countViews } from "../../queries/queue-row.ts";
import type { QueueCounts, QueueStore } from "../../repositories.ts";
import type { Connection } from "../connection.ts";
import type { ReaderPool } from "../readers/reader-pool.ts";

/** The queue in SQLite; it is written in the writer's transactions. */
export function createQueue(reading: Connection, readers: ReaderPool, writer: LogWriter): QueueStore {
  const tags = reading.prepare<[], string>("SELECT tags FROM queue WHERE tags <> ''").pluck();
  return createQueueStore(writer, {
    counts: (me, now) => readers.call("queueCounts", me, now),
    tags: async () => tags.all(),
  });
}

/** How many conversations each view has: 20 ms with 100,000 conversations. */
export function readQueueCounts(connection: Connection, me: string, now: number): QueueCounts {
  const { text, values } = countViews(me, now);
  const counts = connection.prepare<unknown[], QueueCounts>(text).get(...values);
  if (!counts) throw new Error("Counts have no row");
  return counts;
}
