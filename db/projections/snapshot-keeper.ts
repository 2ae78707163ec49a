import { REDUCER_VERSION } from "../../lib/session/reducer/snapshot.ts";
import { StorageDamaged } from "../errors.ts";
import type { LogWriter } from "../log/log-writer.ts";
import type { StorageLogger } from "../storage.ts";
import type { Snapshot } from "./snapshot.ts";
import type { StoredChunk } from "./timeline-chunk.ts";

// Sessions grow in bursts: with this delay one round covers several steps, and readers come first.
const DELAY_MS = 250;
// The limit per round, so that a thread is not occupied for long and little text is in memory.
const A_ROUND = 4;

/** What a session lacks for quick views and timelines, of both at most `limit`, oldest first. */
type ReadMissing = (conversationId: string, limit: number) => Promise<{ snapshots: Snapshot[]; chunks: StoredChunk[] }>;

/** Makes the snapshots and the parts of timelines that sessions lack, in the background: folded apart from it, stored by the writer (E8). */
export class SnapshotKeeper {
  readonly #writer: LogWriter;
  readonly #readMissing: ReadMissing;
  readonly #logger: StorageLogger;
  readonly #waiting = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  #working = false;
  #stopped = false;

  constructor(writer: LogWriter, readMissing: ReadMissing, logger: StorageLogger) {
    this.#writer = writer;
    this.#readMissing = readMissing;
    this.#logger = logger;
  }

  /** The session may lack some. */
  look(conversationId: string): void {
    this.#waiting.add(conversationId);
    if (this.#timer || this.#working || this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#work();
    }, DELAY_MS);
    this.#timer.unref();
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  async #work(): Promise<void> {
    this.#working = true;
    for (const conversationId of this.#waiting) {
      this.#waiting.delete(conversationId);
      await this.#round(conversationId);
    }
    this.#working = false;
  }

  async #round(conversationId: string): Promise<void> {
    if (this.#stopped) return;
    try {
      const epoch = await this.#writer.epoch();
      const { snapshots, chunks } = await this.#readMissing(conversationId, A_ROUND);
      await this.#writer.submit((transaction) => {
        for (const { seq, session } of snapshots)
          transaction.saveSnapshot(conversationId, seq, { reducerVersion: REDUCER_VERSION, session, epoch });
        for (const chunk of chunks) transaction.saveTimelineChunk(conversationId, chunk, epoch);
      });
      if (snapshots.length === A_ROUND || chunks.length === A_ROUND) this.#waiting.add(conversationId);
    } catch (error) {
      // Snapshots are optional: without one a view reduces more events. The session's next growth tries again.
      if (!this.#stopped && !(error instanceof StorageDamaged))
        this.#logger.warn({ err: error, conversation_id: conversationId }, "Could not create snapshots of a session");
    }
  }
}
