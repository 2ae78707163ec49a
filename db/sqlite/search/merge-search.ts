import type { Connection } from "../connection.ts";
import type { Writer } from "../log/writer.ts";

const INDEXES = ["event_search", "conversation_search"] as const;

/** Writing this many pages of an index (4 kB each) takes about 10 ms. */
const A_PART = 200;

/**
 * Merges the segments of the search indexes: before, segments contain the words of deleted rows. Other writes go in
 * between. Concurrent inserts restart the merge, so it takes larger parts if that happens often.
 */
export async function mergeSearch(connection: Connection, writer: Writer, signal: AbortSignal): Promise<void> {
  const changes = connection.prepare<[], number>("SELECT total_changes()").pluck();
  for (const index of INDEXES) {
    const size = connection.prepare<[], number>(`SELECT count(*) FROM ${index}_data`).pluck().get() ?? 0;
    const merge = connection.prepare<[number]>(`INSERT INTO ${index} (${index}, rank) VALUES ('merge', ?)`);
    let part = A_PART;
    for (let more = true, steps = 1; more; steps += 1) {
      signal.throwIfAborted();
      if (steps > 2 + (2 * size) / part) [part, steps] = [part * 2, 1];
      more = await writer.submitPart(() => {
        const before = changes.get() ?? 0;
        // Negative: merges all segments, however few.
        merge.run(-part);
        // SQLite counts one change if there was nothing to merge.
        return (changes.get() ?? 0) - before > 1;
      });
    }
  }
}
