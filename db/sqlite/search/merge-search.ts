import type { Connection } from "../connection.ts";
import type { Writer } from "../log/writer.ts";

const INDEXES = ["event_search", "conversation_search"] as const;

/** So many pages of an index (4 kB each) are written in about 10 ms. */
const A_PART = 200;

/**
 * Puts the parts of the indexes of the search together: until then each has the words of what was deleted. Other writes go
 * between. Whatever comes into an index meanwhile has it begin again, so it takes more at once when that happens often.
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
        // Negative: all parts, however few there are.
        merge.run(-part);
        // SQLite counts one row where there was nothing to do.
        return (changes.get() ?? 0) - before > 1;
      });
    }
  }
}
