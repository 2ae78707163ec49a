import type { LogIndexer } from "../log/log-indexer.ts";
import type { RollupReads, RollupStore } from "../rollup.ts";
import type { RollupBatch } from "./batch.ts";

export type RollupIndexer = LogIndexer<RollupBatch>;

/** Reads the rollup after what was recorded just before is counted, if that takes no longer than people notice. */
export function createRollupStore(
  indexer: RollupIndexer,
  reads: RollupReads,
  usePrices: RollupStore["usePrices"],
): RollupStore {
  return {
    usePrices,
    async overview(...asked) {
      await indexer.settled();
      return reads.overview(...asked);
    },
    async tools(...asked) {
      await indexer.settled();
      return reads.tools(...asked);
    },
    async tool(...asked) {
      await indexer.settled();
      return reads.tool(...asked);
    },
    async versions(...asked) {
      await indexer.settled();
      return reads.versions(...asked);
    },
  };
}
