import { StorageDamaged } from "../errors.ts";
import type { LogWriter } from "../log/log-writer.ts";
import type { StorageLogger } from "../storage.ts";
import type { Unsearched } from "./unsearched.ts";

/** Events come in bursts, and one round takes many of them. */
const DELAY_MS = 200;

/**
 * Between two rounds while others write: then the index takes a fortieth of the writer's time, and lags behind. When they
 * rest it goes on at once, and reads 100,000 events a second.
 */
const PAUSE_MS = 250;

/** A search waits so long for what was just said; what the index lacks after that, its answer tells. */
const LONGEST_WAIT_MS = 100;

/**
 * Reads the log into the index of the search, in the background (E14): a stretch at a time is read and
 * stored by the writer, between other writes, together with how far it goes. So it goes on where it was, whatever ended
 * it, and nobody who appends waits for it.
 */
export class SearchIndexer {
  readonly #writer: LogWriter;
  readonly #read: () => Promise<Unsearched | null>;
  readonly #logger: StorageLogger;
  #timer: NodeJS.Timeout | null = null;
  #working: Promise<void> | null = null;
  /** Ends a pause before its time. */
  #goOn: (() => void) | null = null;
  /** There may be more in the log than in the index. */
  #isBehind = false;
  /** Too much is lacking to wait for it. */
  #isFar = false;
  /** Others have written since the last round. */
  #isBusy = false;
  #stopped = false;
  /** Nothing is stored before its end. */
  #hold: Promise<void> | null = null;

  constructor(writer: LogWriter, read: () => Promise<Unsearched | null>, logger: StorageLogger) {
    this.#writer = writer;
    this.#read = read;
    this.#logger = logger;
  }

  /** The log has grown. */
  look(): void {
    this.#isBehind = true;
    this.#isBusy = true;
    if (this.#timer || this.#working || this.#stopped) return;
    this.#timer = setTimeout(() => this.#start(), DELAY_MS);
    this.#timer.unref();
  }

  /** Resolves when the index has what was in the log, or after a while that a person does not notice; at once where it lacks much. */
  async settled(): Promise<void> {
    if (this.#isFar || (!this.#isBehind && !this.#working)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const late = setTimeout(resolve, LONGEST_WAIT_MS);
    this.#goOn?.();
    void this.#start().then(resolve);
    await promise;
    clearTimeout(late);
  }

  /** Does `work` while nothing comes into the index; what is said meanwhile is found afterwards. */
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
    });
    return this.#working;
  }

  async #work(): Promise<void> {
    while (this.#isBehind && !this.#stopped) {
      this.#isBehind = false;
      this.#isBusy = false;
      try {
        const { epoch } = this.#writer.erasing;
        const stretch = await this.#read();
        this.#isFar = stretch?.more ?? false;
        if (!stretch) continue;
        await this.#hold;
        await this.#writer.submit((transaction) => transaction.saveSearched(stretch, epoch));
        this.#isBehind = true;
      } catch (error) {
        // Nothing is lost: the next growth of the log tries again, and searches tell what is lacking.
        if (!this.#stopped && !(error instanceof StorageDamaged))
          this.#logger.warn({ err: error }, "Search indexing failed");
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
