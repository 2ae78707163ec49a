import { LogIndexer } from "../../log/log-indexer.ts";
import type { RollupIndexer } from "../../rollup/rollup-store.ts";
import type { RollupStore } from "../../rollup.ts";
import type { StorageLogger } from "../../storage.ts";
import type { Connection } from "../connection.ts";
import type { Writer } from "../log/writer.ts";
import type { ReaderPool } from "../readers/reader-pool.ts";
import { createRollupWrites } from "./rollup-writes.ts";

/** Keeps the rollup: batches are read and folded in a reader thread, and stored by the writer between other writes. */
export function createRollupIndexer(
  connection: Connection,
  writer: Writer,
  readers: ReaderPool,
  logger: StorageLogger,
): { indexer: RollupIndexer; usePrices: RollupStore["usePrices"] } {
  const writes = createRollupWrites(connection);
  const indexer: RollupIndexer = new LogIndexer(
    {
      failed: "The rollup could not be continued",
      epoch: () => writer.epoch(),
      read: () => readers.call("rollupBatch"),
      // A batch that a crash takes away is read again, so nobody waits for the disk to have it.
      save: (batch, epoch) => writer.submitPart(() => writes.save(batch, writer.erasing, epoch)),
    },
    logger,
  );
  return { indexer, usePrices: (prices) => writer.submit(() => writes.usePrices(prices)) };
}
