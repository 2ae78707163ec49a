import { StorageDamaged } from "../errors.ts";
import type { StorageLogger } from "../storage.ts";

/** Events come in bursts; one round takes many of them. */
const DELAY_MS = 200;

/**
 * The pause between rounds during writes: an index takes a fortieth of the writer's time, and lags behind. Without writes it
 * continues at once: the search reads 100,000 events a second.
 */
const PAUSE_MS = 250;

/** After a failure, such as a lost connection, it tries again after this time, ms. */
const RETRY_MS = 5_000;

/** How long a reader waits for recent events; its answer has the number of those missing after that. */
const LONGEST_WAIT_MS = 100;

/** An index that is made from the log behind the writes. */
export interface IndexOfLog<Batch> {
  /** What failed, as a sentence for the server's log. */
  failed: string;
  /** Changes with each erasure: see `LogWriter.epoch`. */
  epoch(): Promise<number>;
  /** The next batch of the log that the index does not have; null: it has all. */
  read(): Promise<Batch | null>;
  /** Stores it together with how far it goes; nothing if it was read before an erasure of what it has. */
  save(batch: Batch, epoch: number): Promise<void>;
}

/**
 * Reads the log into an index in the background: a batch at a time is read and stored by the writer, between other writes,
 * together with how far it goes. So it goes on where it was, whatever ended it, and nobody who appends waits for it.
 */
export class LogIndexer<Batch extends { more: boolean }> {
  readonly #index: IndexOfLog<Batch>;
  readonly #logger: StorageLogger;
  #timer: NodeJS.Timeout | null = null;
  #working: Promise<void> | null = null;
  /** Ends a pause early. */
  #goOn: (() => void) | null = null;
  /** The log may have events that are not indexed. */
  #isBehind = false;
  /** The last round failed. */
  #hasFailed = false;
  /** Too many are missing to wait for them. */
  #isFar = false;
  /** There were other writes since the last round. */
  #isBusy = false;
  #stopped = false;
  /** Nothing is stored before it resolves. */
  #hold: Promise<void> | null = null;

  constructor(index: IndexOfLog<Batch>, logger: StorageLogger) {
    this.#index = index;
    this.#logger = logger;
  }

  /** Must be called when the log has grown. */
  look(): void {
    this.#isBehind = true;
    this.#isBusy = true;
    if (this.#timer || this.#working || this.#stopped) return;
    this.#timer = setTimeout(() => this.#start(), DELAY_MS);
    this.#timer.unref();
  }

  /**
   * Resolves when everything now in the log is indexed, or after a delay that people do not notice; at once if much is
   * missing.
   */
  async settled(): Promise<void> {
    if (this.#isFar || (!this.#isBehind && !this.#working)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const late = setTimeout(resolve, LONGEST_WAIT_MS);
    this.#goOn?.();
    void this.#start().then(resolve);
    await promise;
    clearTimeout(late);
  }

  /** Runs `work` while indexing is paused. */
  async held(work: () => Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#hold = promise;
    try {
      await work();
    } finally {
      this.#hold = null;
      resolve();
    }
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#goOn?.();
  }

  #start(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#working ??= this.#work().finally(() => {
      this.#working = null;
      if (this.#hasFailed) this.#retry();
    });
    return this.#working;
  }

  #retry(): void {
    this.#hasFailed = false;
    this.#timer = setTimeout(() => {
      this.#isBehind = true;
      void this.#start();
    }, RETRY_MS);
    this.#timer.unref();
  }

  async #work(): Promise<void> {
    while (this.#isBehind && !this.#stopped) {
      this.#isBehind = false;
      this.#isBusy = false;
      try {
        const epoch = await this.#index.epoch();
        const batch = await this.#index.read();
        this.#isFar = batch?.more ?? false;
        if (!batch) continue;
        await this.#hold;
        await this.#index.save(batch, epoch);
        this.#isBehind = true;
      } catch (error) {
        // Nothing is lost: it is tried again, and answers say how many events are missing.
        if (this.#stopped || error instanceof StorageDamaged) return;
        this.#logger.warn({ err: error }, this.#index.failed);
        this.#hasFailed = true;
        return;
      }
      if (this.#isBusy) await this.#pause();
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, PAUSE_MS);
      timer.unref();
      this.#goOn = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
