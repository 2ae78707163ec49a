import { LogIndexer } from "../log/log-indexer.ts";
import type { LogWriter } from "../log/log-writer.ts";
import type { StorageLogger } from "../storage.ts";
import type { Unsearched } from "./unsearched.ts";

export type SearchIndexer = LogIndexer<Unsearched>;

/** Keeps the index of the search (E14). */
export function createSearchIndexer(
  writer: LogWriter,
  read: () => Promise<Unsearched | null>,
  logger: StorageLogger,
): SearchIndexer {
  return new LogIndexer(
    {
      failed: "Search indexing failed",
      epoch: () => writer.epoch(),
      read,
      save: (stretch, epoch) => writer.submit((transaction) => transaction.saveSearched(stretch, epoch)),
    },
    logger,
  );
}
