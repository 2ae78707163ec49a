import { changeItem, MOST_TAGS, type QueueChange } from "../../lib/queue/queue.ts";
import { Conflict } from "../errors.ts";
import type { QueueStore } from "../repositories.ts";
import { toIso } from "../times.ts";
import type { LogWriter } from "./log-writer.ts";

/** What a storage reads of the queue. */
export interface QueueReads {
  counts: QueueStore["counts"];
  /** The tags of each conversation that has any, as the table has them. */
  tags(): Promise<string[]>;
}

/** Tags that are told, the most used. */
const MOST_TOLD = 100;

/** The queue, which is written in the transactions of the log. */
export function createQueueStore(writer: LogWriter, reads: QueueReads): QueueStore {
  return {
    change: (ids: readonly string[], change: QueueChange) =>
      writer.submit((transaction) => {
        // All are asked for before one is refused: Postgres reads together what a round has asked for.
        const known = ids.filter((id) => transaction.summary(id) !== null);
        const at = toIso(transaction.recordedAt);
        const items = known.map((id) => ({ id, item: changeItem(transaction.annotations.queueItem(id), change, at) }));
        for (const { id, item } of items) {
          if (item.tags.length > MOST_TAGS)
            throw new Conflict(`The conversation ${id} would have more than ${MOST_TAGS} tags; remove some first`);
          transaction.annotations.saveQueueItem(id, item);
        }
        return { changed: known, missing: ids.filter((id) => !known.includes(id)) };
      }),
    counts: reads.counts,
    async tags() {
      const used = new Map<string, number>();
      for (const tags of await reads.tags())
        for (const tag of tags.split("\n")) if (tag !== "") used.set(tag, (used.get(tag) ?? 0) + 1);
      return [...used]
        .sort(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1))
        .slice(0, MOST_TOLD)
        .map(([tag]) => tag);
    },
  };
}
