import { Worker } from "node:worker_threads";
import type { StorageLogger } from "../../storage.ts";
import { fromThreadError } from "../../thread-errors.ts";
import { type Answer, CLOSE } from "./reader-messages.ts";
import type { SessionReads } from "./session-reads.ts";

/** People wait for the first two; the last works for what happens in the background. */
type Purpose = "session" | "many" | "background";

/** What is read of many conversations keeps its thread busy for up to half a second, for which no session waits. */
const PURPOSES: Partial<Record<keyof SessionReads, Purpose>> = {
  ...{ overview: "many", tools: "many", tool: "many", versions: "many" },
  ...{ missing: "background", unsearched: "background", erasureScope: "background", rollupBatch: "background" },
  ruleHours: "background",
};

/** As in `db/sqlite/readers/reader-pool.ts`: otherwise V8 keeps memory that it does not need, MB. */
const YOUNG_GENERATION = 12;

/** A thread that is idle for this long ends, ms. */
const IDLE_MS = 30_000;

/** How long closing waits for a thread's calls, ms: a server has to stop within two seconds. */
const CLOSE_TIMEOUT_MS = 1_000;

type Answered<Method extends keyof SessionReads> = Awaited<ReturnType<SessionReads[Method]>>;

interface Thread {
  worker: Worker;
  /** The calls that it has, by their numbers. */
  calls: Map<number, { resolve(value: never): void; reject(error: Error): void }>;
  idle: NodeJS.Timeout;
}

/**
 * Threads for reads that fold or search much in code, each with connections of its own. They start on demand; if one dies, its
 * calls fail, and the next call starts another.
 */
export class ReaderThreads {
  readonly #url: string;
  readonly #logger: StorageLogger;
  readonly #threads = new Map<Purpose, Thread>();
  #lastCall = 0;
  #closed = false;

  constructor(url: string, logger: StorageLogger) {
    this.#url = url;
    this.#logger = logger;
  }

  /** Calls a method of `SessionReads` in a thread. Throws what it throws; an `Error` if the thread dies or the storage closes. */
  call<Method extends keyof SessionReads>(
    method: Method,
    ...args: Parameters<SessionReads[Method]>
  ): Promise<Answered<Method>> {
    if (this.#closed) return Promise.reject(new Error("The storage is closed"));
    const purpose = PURPOSES[method] ?? "session";
    const thread = this.#threads.get(purpose) ?? this.#start(purpose);
    this.#lastCall += 1;
    const id = this.#lastCall;
    return new Promise((resolve, reject) => {
      thread.calls.set(id, { resolve, reject });
      thread.worker.postMessage({ id, method, args });
    });
  }

  /** Ends the threads; unanswered calls fail. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(
      [...this.#threads.values()].map(async (thread) => {
        clearTimeout(thread.idle);
        failAll(thread, new Error("The storage was closed before the read completed"));
        await end(thread.worker);
      }),
    );
  }

  #start(purpose: Purpose): Thread {
    const worker = new Worker(new URL("./reader-thread.ts", import.meta.url), {
      workerData: this.#url,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION },
    });
    const idle = setTimeout(() => this.#endIdle(purpose, thread), IDLE_MS);
    idle.unref();
    const thread: Thread = { worker, calls: new Map(), idle };
    this.#threads.set(purpose, thread);
    worker.on("message", (answer: Answer) => {
      const call = thread.calls.get(answer.id);
      thread.calls.delete(answer.id);
      idle.refresh();
      if ("error" in answer) call?.reject(fromThreadError(answer.error));
      else call?.resolve(answer.value as never);
    });
    worker.on("error", (error) => this.#lose(purpose, thread, error));
    worker.on("exit", (code) => this.#lose(purpose, thread, new Error(`The thread ended with code ${code}`)));
    return thread;
  }

  #endIdle(purpose: Purpose, thread: Thread): void {
    if (thread.calls.size > 0) {
      thread.idle.refresh();
      return;
    }
    this.#threads.delete(purpose);
    void end(thread.worker);
  }

  #lose(purpose: Purpose, thread: Thread, cause: unknown): void {
    if (this.#closed || this.#threads.get(purpose) !== thread) return;
    this.#threads.delete(purpose);
    this.#logger.error({ err: cause }, "A reader thread crashed; the next read starts another");
    failAll(thread, new Error("The reader thread crashed before it answered", { cause }));
  }
}

function failAll({ calls }: Thread, error: Error): void {
  for (const { reject } of calls.values()) reject(error);
  calls.clear();
}

/** Lets a thread finish its calls, then ends it: terminating it while it deflates a snapshot crashes the process. */
async function end(worker: Worker): Promise<void> {
  const ended = new Promise((resolve) => worker.once("exit", resolve));
  worker.postMessage(CLOSE);
  const late = setTimeout(() => worker.terminate(), CLOSE_TIMEOUT_MS);
  await ended;
  clearTimeout(late);
}
