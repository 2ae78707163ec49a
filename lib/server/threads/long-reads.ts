import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import type { Chunk, LongRead, LongReads } from "../../api/stream/long-reads.ts";
import type { LogPlace } from "./log-place.ts";
import { type RunningThread, ThreadOnDemand } from "./thread-on-demand.ts";

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

/**
 * Reads in one thread, round-robin over all open reads, one requested chunk each. It starts on demand; if it dies, open
 * reads fail.
 */
export function createLongReads(place: LogPlace, logger: Logger): LongReads & { close(): Promise<void> } {
  const threads = new ThreadOnDemand<Answered>({
    name: "The thread of long reads",
    start: () =>
      new Worker(new URL("./long-read-thread.ts", import.meta.url), {
        workerData: place,
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION },
      }),
    idle_ms: IDLE_MS,
    isNeeded: (thread) => open.values().some((other) => other === thread),
    logger,
  });
  /** The open reads, and the thread that each is in. */
  const open = new Map<number, RunningThread<Answered>>();

  return {
    open(read) {
      const id = threads.newId();
      const own = threads.started();
      const tell = (order: Order) => own.worker.postMessage(order);
      open.set(id, own);
      tell({ id, act: "open", read });
      return {
        async next() {
          if (threads.running !== own) throw new Error("The thread of long reads has ended");
          const reply = threads.reply(own, id);
          tell({ id, act: "next" });
          const answered = await reply;
          if ("error" in answered) throw new Error("Could not read the log", { cause: answered.error });
          return answered.chunk;
        },
        close() {
          if (!open.delete(id)) return;
          tell({ id, act: "close" });
          own.idle.refresh();
        },
      };
    },
    close: () => threads.close(),
  };
}
