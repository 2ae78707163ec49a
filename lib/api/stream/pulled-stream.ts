import { setImmediate as turn } from "node:timers/promises";

/** After so long without anything sent a comment says that the connection lives, in ms (E13). */
const HEARTBEAT_MS = 15_000;
const HEARTBEAT = Buffer.from(":\n\n");

interface PulledStream {
  /** What is sent at once. */
  first: string;
  /** What there is to send by now; empty where there is nothing, null when the stream is over. */
  next(): Promise<Uint8Array | null>;
  /** Whether there may be more by now than `next` was asked for. */
  isBehind(): boolean;
  /** Begins to listen for what there may be to send; the function that it returns ends that. */
  subscribe(wake: () => void): () => void;
  /** Ends the stream. */
  signal: AbortSignal;
}

/**
 * Server-sent events that the reader pulls (E13): nothing is made before what was sent has gone out, so that a slow reader
 * holds no memory. Between them it waits until it is woken, and says now and then that the connection lives.
 */
export function pulledStream({ first, next, isBehind, subscribe, signal }: PulledStream): ReadableStream<Uint8Array> {
  let wake: () => void = () => undefined;
  const leave = subscribe(() => wake());
  // A signal that is made of several looks at all of them when it is asked, which was a tenth of the work for hundreds of readers.
  let isOver = signal.aborted;
  const end = () => {
    isOver = true;
    wake();
  };
  signal.addEventListener("abort", end, { once: true });

  /** Waits until there may be something to send or the stream is over; false when neither came in this time, ms. */
  async function untilWoken(patience: number): Promise<boolean> {
    if (isBehind() || isOver) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(resolve, patience, false);
    wake = () => resolve(true);
    const woken = await promise;
    clearTimeout(timer);
    return woken;
  }

  async function nextChunk(): Promise<Uint8Array | null> {
    const beat = performance.now() + HEARTBEAT_MS;
    while (!isOver) {
      const bytes = await next();
      if (bytes === null || bytes.length > 0) return bytes;
      if (!(await untilWoken(Math.max(1, beat - performance.now())))) return HEARTBEAT;
    }
    return null;
  }

  return new ReadableStream(
    {
      start(controller) {
        controller.enqueue(Buffer.from(first));
      },
      async pull(controller) {
        // A reader that takes all at once lets everybody else in between.
        await turn();
        const chunk = await nextChunk().catch((error) => {
          leave();
          throw error;
        });
        if (chunk) return controller.enqueue(chunk);
        leave();
        controller.close();
      },
      cancel() {
        leave();
        wake();
      },
    },
    { highWaterMark: 0 },
  );
}
