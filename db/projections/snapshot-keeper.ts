import { REDUCER_VERSION } from "../../lib/session/reducer/snapshot.ts";
import { StorageDamaged } from "../errors.ts";
import type { LogWriter } from "../log/log-writer.ts";
import type { StorageLogger } from "../storage.ts";
import type { Snapshot } from "./snapshot.ts";
import type { StoredChunk } from "./timeline-chunk.ts";

/** Readers come first, and one that waits for a timeline asks again within this time, ms. */
const ASKED_DELAY_MS = 250;
/**
 * Sessions grow in bursts: with this delay, ms, one round covers many steps. With 250 ms, three replicas that appended to the same
 * sessions in turn made snapshots for 10 µs an event, and stored a tenth less; meanwhile a view folds what a second has brought.
 */
const GROWN_DELAY_MS = 1_000;
// The limit per round, so that a thread is not occupied for long and little text is in memory.
const A_ROUND = 4;

/** What a session lacks for quick views and timelines, of both at most `limit`, oldest first. */
type ReadMissing = (conversationId: string, limit: number) => Promise<{ snapshots: Snapshot[]; chunks: StoredChunk[] }>;

/** Makes the snapshots and the parts of timelines that sessions lack, in the background: folded apart from it, stored by the writer (E8). */
export class SnapshotKeeper {
  readonly #writer: LogWriter;
  readonly #readMissing: ReadMissing;
  readonly #logger: StorageLogger;
  /** Of these, a reader lacks some. */
  readonly #asked = new Set<string>();
  readonly #grown = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  /** When the timer ends. */
  #due = 0;
  #working = false;
  #stopped = false;

  constructor(writer: LogWriter, readMissing: ReadMissing, logger: StorageLogger) {
    this.#writer = writer;
    this.#readMissing = readMissing;
    this.#logger = logger;
  }

  /** A reader lacks some of the session. */
  ask(conversationId: string): void {
    this.#asked.add(conversationId);
    this.#schedule(ASKED_DELAY_MS);
  }

  /** The session has grown, so that it may lack some. */
  grow(conversationId: string): void {
    this.#grown.add(conversationId);
    this.#schedule(GROWN_DELAY_MS);
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  #schedule(delay: number): void {
    if (this.#working || this.#stopped) return;
    const due = performance.now() + delay;
    if (this.#timer && this.#due <= due) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#work();
    }, delay);
    this.#timer.unref();
  }

  async #work(): Promise<void> {
    this.#working = true;
    const sessions = new Set(this.#grown);
    this.#grown.clear();
    for (;;) {
      const [id] = this.#asked.size > 0 ? this.#asked : sessions;
      if (id === undefined) break;
      this.#asked.delete(id);
      sessions.delete(id);
      if (await this.#round(id)) sessions.add(id);
    }
    this.#working = false;
    if (this.#grown.size > 0) this.#schedule(GROWN_DELAY_MS);
  }

  /** Makes some of what the session lacks; returns whether it may lack more. */
  async #round(conversationId: string): Promise<boolean> {
    if (this.#stopped) return false;
    try {
      const epoch = await this.#writer.epoch();
      const { snapshots, chunks } = await this.#readMissing(conversationId, A_ROUND);
      await this.#writer.submit((transaction) => {
        for (const { seq, session } of snapshots)
          transaction.saveSnapshot(conversationId, seq, { reducerVersion: REDUCER_VERSION, session, epoch });
        for (const chunk of chunks) transaction.saveTimelineChunk(conversationId, chunk, epoch);
      });
      return snapshots.length === A_ROUND || chunks.length === A_ROUND;
    } catch (error) {
      // Snapshots are optional: without one a view reduces more events. The session's next growth tries again.
      if (!this.#stopped && !(error instanceof StorageDamaged))
        this.#logger.warn({ err: error, conversation_id: conversationId }, "Could not create snapshots of a session");
      return false;
    }
  }
}
