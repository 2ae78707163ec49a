import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import type { Chunk, LongRead, LongReads } from "../../api/stream/long-reads.ts";
import type { LogPlace } from "./log-place.ts";

/** A request to the thread; it replies to each `next`. */
export type Order =
  | { id: number; act: "open"; read: LongRead }
  | { id: number; act: "next" }
  | { id: number; act: "close" };

/** A reply: the read's next chunk, null at its end, or an error. */
export type Answered = { id: number } & ({ chunk: Chunk | null } | { error: unknown });

/** An idle thread ends after this time, to free its memory, ms. */
const IDLE_MS = 10_000;

/** By default V8 sizes a thread's young generation by the machine's memory; chunks are short-lived and small, MB. */
const YOUNG_GENERATION = 12;

interface Thread {
  worker: Worker;
  open: Set<number>;
  waiting: Map<number, { resolve(chunk: Chunk | null): void; reject(error: Error): void }>;
  idle: NodeJS.Timeout;
}

/**
 * Reads in one thread, round-robin over all open reads, one requested chunk each. It starts on demand; if it dies, open
 * reads fail.
 */
export function createLongReads(place: LogPlace, logger: Logger): LongReads & { close(): Promise<void> } {
  let thread: Thread | null = null;
  let last = 0;
  let isClosed = false;

  function started(): Thread {
    if (isClosed) throw new Error("The long reads were closed");
    const worker = new Worker(new URL("./long-read-thread.ts", import.meta.url), {
      workerData: place,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION },
    });
    const begun: Thread = {
      worker,
      open: new Set(),
      waiting: new Map(),
      idle: setTimeout(() => endIdle(begun), IDLE_MS),
    };
    begun.idle.unref();
    worker.on("message", (answered: Answered) => {
      const asked = begun.waiting.get(answered.id);
      begun.waiting.delete(answered.id);
      if ("chunk" in answered) asked?.resolve(answered.chunk);
      else asked?.reject(new Error("Could not read the log", { cause: answered.error }));
    });
    worker.on("error", (error) => lose(begun, error));
    worker.on("exit", (code) => lose(begun, new Error(`The thread ended with code ${code}`)));
    return begun;
  }

  function lose(lost: Thread, cause: unknown): void {
    if (thread === lost) {
      thread = null;
      if (!isClosed) logger.error({ err: cause }, "The long-read thread crashed; the next read starts another");
    }
    clearTimeout(lost.idle);
    const error = isClosed
      ? new Error("The server stopped before the read completed", { cause })
      : new Error("The long-read thread crashed", { cause });
    for (const { reject } of lost.waiting.values()) reject(error);
    lost.waiting.clear();
  }

  function endIdle(idle: Thread): void {
    if (idle.open.size > 0) return;
    if (thread === idle) thread = null;
    void idle.worker.terminate();
  }

  return {
    open(read) {
      last += 1;
      const id = last;
      thread ??= started();
      const own = thread;
      const tell = (order: Order) => own.worker.postMessage(order);
      own.open.add(id);
      tell({ id, act: "open", read });
      return {
        next() {
          const { promise, resolve, reject } = Promise.withResolvers<Chunk | null>();
          if (thread !== own) reject(new Error("The thread of long reads has ended"));
          else {
            own.waiting.set(id, { resolve, reject });
            tell({ id, act: "next" });
          }
          return promise;
        },
        close() {
          if (!own.open.delete(id)) return;
          tell({ id, act: "close" });
          own.idle.refresh();
        },
      };
    },
    async close() {
      isClosed = true;
      await thread?.worker.terminate();
    },
  };
}
