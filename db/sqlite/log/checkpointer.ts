import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { StorageDamaged } from "../../errors.ts";
import type { StorageLogger } from "../../storage.ts";
import type { Connection } from "../connection.ts";
import type { Writer } from "./writer.ts";

/** A request to the thread: to make a checkpoint with this busy timeout, ms, or to end. */
export type CheckpointOrder = { mode: "PASSIVE" | "RESTART"; patience: number } | "end";

/** The number of pages in the write-ahead log, and how many were checkpointed; -1 if it was busy. */
export interface Copied {
  log: number;
  checkpointed: number;
}

/** The thread's reply. */
export type CheckpointAnswer = { copied: Copied } | { error: unknown };

/** A checkpoint is made each time the write-ahead log has grown by this many pages, 4 MB. */
const PAGES_BETWEEN = 1_000;

/**
 * From this size, 16 MB, the writer waits for the checkpoint, so that it resets the log. While it writes without a
 * pause, a concurrent checkpoint never completes.
 */
const PAGES_TO_CATCH_UP = 4_000;

/** From this size, 64 MB, readers of the log have prevented each reset: readers are waited for, too. */
const PAGES_TO_WAIT_FOR_READERS = 16_000;
const PATIENCE_MS = 30;

/** Checkpointing this many pages takes some milliseconds, while the writer waits. */
const FEW_PAGES = 200;
const MOST_TRIES = 3;

/** By default V8 sizes the young generation by the machine's memory, MB. */
const YOUNG_GENERATION = 1;

/**
 * Checkpoints the write-ahead log in a thread of its own. Syncing a thousand pages takes tenths of a second, and by
 * default SQLite does it within a commit.
 */
export class Checkpointer {
  readonly #file: string;
  readonly #connection: Connection;
  readonly #writer: Writer;
  readonly #logger: StorageLogger;
  readonly #state: { get(): Copied | undefined };
  #worker: Worker | null = null;
  #asked: PromiseWithResolvers<Copied> | null = null;
  #working: Promise<void> | null = null;
  #isHeld = false;
  #isClosed = false;
  /** The size of the log at the last commit, pages. */
  #pages = 0;
  /** Something was committed since the last checkpoint. */
  #hasGrown = false;
  /** The size at which the next checkpoint is made. */
  #next = PAGES_BETWEEN;

  /** `connection` is the writer's, on which automatic checkpoints are turned off. */
  constructor(file: string, connection: Connection, writer: Writer, logger: StorageLogger) {
    this.#file = file;
    this.#connection = connection;
    this.#writer = writer;
    this.#logger = logger;
    this.#state = connection.prepare<[], Copied>("PRAGMA wal_checkpoint(NOOP)");
    connection.pragma("wal_autocheckpoint = 0");
  }

  /** Must be called after each commit. */
  look(): void {
    const pages = this.#state.get()?.log ?? 0;
    if (pages < this.#pages) this.#next = PAGES_BETWEEN;
    this.#pages = pages;
    this.#hasGrown = true;
    if (pages < this.#next || this.#isHeld || this.#isClosed) return;
    this.#working ??= this.#work().finally(() => {
      this.#working = null;
    });
  }

  /** Runs `work` while no checkpoint is in progress. */
  async held(work: () => Promise<void>): Promise<void> {
    this.#isHeld = true;
    try {
      await this.#working;
      await work();
    } finally {
      this.#isHeld = false;
    }
  }

  /** Ends the thread when its checkpoint is finished. Must be called no later than the writer's `close`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#working;
    const worker = this.#worker;
    this.#worker = null;
    if (!worker) return;
    const ended = once(worker, "exit");
    worker.postMessage("end" satisfies CheckpointOrder);
    await ended;
  }

  async #work(): Promise<void> {
    do {
      this.#hasGrown = false;
      const before = this.#pages;
      try {
        const log = await this.#copy().catch((error) => this.#copyHere(error));
        // Fewer than were checkpointed: the log was reset meanwhile.
        this.#next = (log <= this.#pages ? Math.max(log, before) : 0) + this.#step();
      } catch (error) {
        this.#next = this.#pages + PAGES_BETWEEN;
        if (error instanceof StorageDamaged) return;
        this.#logger.warn({ err: error }, "WAL checkpoint failed");
      }
    } while (this.#hasGrown && this.#pages >= this.#next && !this.#isHeld && !this.#isClosed);
  }

  /** The growth until the next attempt; larger if attempts make the writer wait for readers. */
  #step(): number {
    return this.#pages < PAGES_TO_WAIT_FOR_READERS ? PAGES_BETWEEN : PAGES_TO_CATCH_UP;
  }

  /** Returns the size of the log at that time, in pages. */
  async #copy(): Promise<number> {
    let copied = await this.#order("PASSIVE");
    if (copied.log < PAGES_TO_CATCH_UP) return copied.log;
    for (let tries = 1; tries < MOST_TRIES && copied.log - copied.checkpointed > FEW_PAGES; tries += 1)
      copied = await this.#order("PASSIVE");
    if (this.#isClosed) return copied.log;
    await this.#writer.pause(async () => {
      if (copied.log < PAGES_TO_WAIT_FOR_READERS) copied = await this.#order("PASSIVE");
      else copied = await this.#order("RESTART", PATIENCE_MS);
    });
    return copied.log;
  }

  /** The log must not grow without limit if the thread has died. */
  async #copyHere(cause: unknown): Promise<number> {
    if (this.#worker || this.#isClosed) throw cause;
    this.#logger.error({ err: cause }, "The checkpoint thread crashed; the next checkpoint starts another");
    await this.#writer.pause(async () => {
      this.#connection.pragma("wal_checkpoint(PASSIVE)");
    });
    return this.#pages;
  }

  /** Throws SQLite's errors, and if the thread has died. */
  #order(mode: "PASSIVE" | "RESTART", patience = 0): Promise<Copied> {
    this.#worker ??= this.#start();
    this.#asked = Promise.withResolvers();
    this.#worker.postMessage({ mode, patience } satisfies CheckpointOrder);
    return this.#asked.promise;
  }

  #start(): Worker {
    const worker = new Worker(new URL("./checkpoint-thread.ts", import.meta.url), {
      workerData: this.#file,
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION },
    });
    const lose = (cause: unknown) => {
      if (this.#worker === worker) this.#worker = null;
      this.#asked?.reject(new Error("The checkpoint thread crashed", { cause }));
    };
    worker.on("message", (answer: CheckpointAnswer) => {
      if ("copied" in answer) this.#asked?.resolve(answer.copied);
      else this.#asked?.reject(new Error("SQLite could not make a checkpoint", { cause: answer.error }));
    });
    worker.on("error", lose);
    worker.on("exit", (code) => lose(new Error(`The thread ended with code ${code}`)));
    return worker;
  }
}
