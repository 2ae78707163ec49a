import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { StorageDamaged } from "../../errors.ts";
import type { StorageLogger } from "../../storage.ts";
import type { Connection } from "../connection.ts";
import type { Writer } from "./writer.ts";

/** What the thread is told: to make a checkpoint of SQLite's that waits so long for others, ms, or to end. */
export type CheckpointOrder = { mode: "PASSIVE" | "RESTART"; patience: number } | "end";

/** How many pages the write-ahead log has, and how many of them are in the database's file; -1 where others were at it. */
export interface Copied {
  log: number;
  checkpointed: number;
}

/** What it answers. */
export type CheckpointAnswer = { copied: Copied } | { error: unknown };

/** Each time the write-ahead log has grown by so many pages, 4 MB, it is copied. */
const PAGES_BETWEEN = 1_000;

/**
 * From so many pages on, 16 MB, the writer waits until all is copied, so that it begins the log anew. As long as it writes without
 * a pause, a checkpoint beside it leaves what came meanwhile.
 */
const PAGES_TO_CATCH_UP = 4_000;

/** From so many on, 64 MB, somebody has been reading from the log each time: readers are waited for, too. */
const PAGES_TO_WAIT_FOR_READERS = 16_000;
const PATIENCE_MS = 30;

/** So many pages are copied in some milliseconds, while the writer waits. */
const FEW_PAGES = 200;
const MOST_TRIES = 3;

/** V8 would give the thread a new generation by the machine's memory, MB. */
const YOUNG_GENERATION = 1;

/**
 * Copies what is committed from the write-ahead log into the database's file, in a thread of its own. A disk takes tenths of a
 * second to sync a thousand pages, and by itself SQLite has the commit wait for it that comes upon so many.
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
  /** How many pages the log had when something was last committed. */
  #pages = 0;
  /** Something was committed since it was last copied. */
  #hasGrown = false;
  /** Nothing is done until it has so many. */
  #next = PAGES_BETWEEN;

  /** `connection` is the writer's, which makes no checkpoints of its own from here on. */
  constructor(file: string, connection: Connection, writer: Writer, logger: StorageLogger) {
    this.#file = file;
    this.#connection = connection;
    this.#writer = writer;
    this.#logger = logger;
    this.#state = connection.prepare<[], Copied>("PRAGMA wal_checkpoint(NOOP)");
    connection.pragma("wal_autocheckpoint = 0");
  }

  /** Something was committed. */
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

  /** Does `work` while nothing is copied. */
  async held(work: () => Promise<void>): Promise<void> {
    this.#isHeld = true;
    try {
      await this.#working;
      await work();
    } finally {
      this.#isHeld = false;
    }
  }

  /** Ends the thread when it has done what it was told. Has to be called no later than the writer's `close`. */
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
        // Fewer than were copied: the log has begun anew meanwhile.
        this.#next = (log <= this.#pages ? Math.max(log, before) : 0) + this.#step();
      } catch (error) {
        this.#next = this.#pages + PAGES_BETWEEN;
        if (error instanceof StorageDamaged) return;
        this.#logger.warn({ err: error }, "WAL checkpoint failed");
      }
    } while (this.#hasGrown && this.#pages >= this.#next && !this.#isHeld && !this.#isClosed);
  }

  /** After so many more pages it is tried again: not as often where that made the writer wait for readers. */
  #step(): number {
    return this.#pages < PAGES_TO_WAIT_FOR_READERS ? PAGES_BETWEEN : PAGES_TO_CATCH_UP;
  }

  /** Gives how many pages the log had then. */
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

  /** Without the thread, too, the log must not grow on and on. */
  async #copyHere(cause: unknown): Promise<number> {
    if (this.#worker || this.#isClosed) throw cause;
    this.#logger.error({ err: cause }, "The checkpoint thread crashed; the next checkpoint starts another");
    await this.#writer.pause(async () => {
      this.#connection.pragma("wal_checkpoint(PASSIVE)");
    });
    return this.#pages;
  }

  /** Throws what SQLite does, and where the thread has died. */
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
