import { setImmediate as turn } from "node:timers/promises";

/** The interval of heartbeat comments without other data, ms (E13). */
const HEARTBEAT_MS = 15_000;
const HEARTBEAT = Buffer.from(":\n\n");

interface PulledStreamOptions {
  /** Sent at once. */
  first: string;
  /** The next bytes; empty if there are none yet, null at the end of the stream. */
  next(): Promise<Uint8Array | null>;
  /** Whether there may be more than at the last `next`. */
  isBehind(): boolean;
  /** Subscribes to new data; returns the function that unsubscribes. */
  subscribe(wake: () => void): () => void;
  /** Ends the stream. */
  signal: AbortSignal;
  /** It ends only with its connection, so that clients need not be told where it ends. */
  isEndless?: boolean;
}

/**
 * Server-sent events with backpressure (E13): nothing is created before the previous bytes were sent, so that a slow
 * client holds no memory. Otherwise it waits until woken, and sends heartbeats.
 */
export class PulledStream extends ReadableStream<Uint8Array> {
  /** For a server, which needs no stream in between: it took as long as the rest of an event's way to a client. */
  readonly chunks: PulledChunks;
  readonly isEndless: boolean;

  constructor(options: PulledStreamOptions) {
    const chunks = new PulledChunks(options);
    super(
      {
        async pull(controller) {
          const chunk = await chunks.next();
          if (chunk) controller.enqueue(chunk);
          else controller.close();
        },
        cancel: () => chunks.cancel(),
      },
      { highWaterMark: 0 },
    );
    this.chunks = chunks;
    this.isEndless = options.isEndless ?? false;
  }
}

class PulledChunks {
  readonly #options: PulledStreamOptions;
  readonly #leave: () => void;
  readonly #end = () => this.cancel();
  readonly #heartbeat: NodeJS.Timeout;
  #first: string | null;
  #wake: () => void = () => undefined;
  // `AbortSignal.any` checks all its sources on access, which was a tenth of the work for hundreds of clients.
  #isOver = false;
  #isBeatDue = false;
  /** Whether the last bytes were there without waiting. */
  #isCatchingUp = false;

  constructor(options: PulledStreamOptions) {
    const { first, subscribe, signal } = options;
    this.#options = options;
    this.#first = first;
    this.#leave = subscribe(() => this.#wake());
    this.#heartbeat = setTimeout(() => {
      this.#isBeatDue = true;
      this.#wake();
    }, HEARTBEAT_MS);
    if (signal.aborted) this.cancel();
    else signal.addEventListener("abort", this.#end);
  }

  /** The next bytes, at least one; null at the end. Throws what `next` of the stream throws. */
  async next(): Promise<Uint8Array | null> {
    if (this.#first !== null) {
      const first = Buffer.from(this.#first);
      this.#first = null;
      return first;
    }
    // Yields to the event loop for clients that read without a pause.
    if (this.#isCatchingUp) await turn();
    try {
      const bytes = this.#isOver ? null : await this.#nextBytes();
      if (bytes === null) this.cancel();
      else if (!this.#isOver) this.#heartbeat.refresh();
      return bytes;
    } catch (error) {
      this.cancel();
      throw error;
    }
  }

  /** Ends the stream. */
  cancel(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#heartbeat);
    // Node keeps a signal of `AbortSignal.any` with all that listens to it, for as long as its sources live.
    this.#options.signal.removeEventListener("abort", this.#end);
    this.#leave();
    this.#wake();
  }

  async #nextBytes(): Promise<Uint8Array | null> {
    const { next, isBehind } = this.#options;
    this.#isCatchingUp = true;
    while (!this.#isOver) {
      const bytes = await next();
      if (bytes === null || bytes.length > 0) return bytes;
      if (this.#isBeatDue) {
        this.#isBeatDue = false;
        return HEARTBEAT;
      }
      if (isBehind() || this.#isOver) continue;
      this.#isCatchingUp = false;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return null;
  }
}
