import { Worker } from "node:worker_threads";
import type { StorageLogger } from "../../storage.ts";
import { fromThreadError } from "../../thread-errors.ts";
import type { Damage } from "../data-dir/damage.ts";
import type { Reader } from "./reader.ts";
import { type Answer, CLOSE, FORGET } from "./reader-messages.ts";

/** Started on demand. Long calls leave one thread to short ones, which people wait for. */
const THREADS = 3;
const THREADS_FOR_LONG = 2;

/** Calls whose time depends on the length of the log or the session. */
const LONG: ReadonlySet<keyof Reader> = new Set([
  ...([
    "timeline",
    "list",
    "search",
    "unsearched",
    "searchSession",
    "inferredEdges",
    "similarFailures",
    "holds",
    "facets",
    "queueCounts",
  ] as const),
  ...(["missing", "erasureScope", "slowView", "sessionMap"] as const),
  ...(["rollupBatch", "overview", "tools", "tool", "versions", "reviewed", "ruleHours"] as const),
]);

/**
 * By default V8 sizes each thread's young generation by the machine's memory, and does not shrink it without memory
 * pressure. With this limit, in MB, the server held 90 MB less after 20 s of ingest. The old generation is not limited:
 * a large session must not end its thread.
 */
const YOUNG_GENERATION = 12;

/**
 * A thread that is idle for this long ends, ms, to release its cached sessions, up to a gigabyte. The next one starts
 * from a snapshot.
 */
const IDLE_MS = 30_000;

/** How long closing waits for a thread's call, ms: a server has to stop within two seconds. */
const CLOSE_TIMEOUT_MS = 1_000;

type Answered<Method extends keyof Reader> = ReturnType<Reader[Method]>;

/** A queued or running call. */
interface Job {
  /** The thread that probably has its session cached. */
  preferred: number;
  isLong: boolean;
  send(worker: Worker): void;
  fail(error: Error): void;
}

interface Thread {
  worker: Worker;
  job: Job | null;
  idle: NodeJS.Timeout;
}

/**
 * Threads for slow reads, each with a read-only connection. They start on demand and take one call at a time; if one
 * dies, its call fails and it is replaced at the next call.
 */
export class ReaderPool {
  readonly #file: string;
  readonly #logger: StorageLogger;
  readonly #damage: Damage;
  readonly #threads: (Thread | null)[] = Array.from({ length: THREADS }, () => null);
  readonly #queue: Job[] = [];
  #closed = false;

  constructor(file: string, logger: StorageLogger, damage: Damage) {
    this.#file = file;
    this.#logger = logger;
    this.#damage = damage;
  }

  /**
   * Calls a method of `Reader` in a thread. Throws what it throws; an `Error` if the thread dies or the pool closes.
   */
  call<Method extends keyof Reader>(method: Method, ...args: Parameters<Reader[Method]>): Promise<Answered<Method>> {
    const damage = this.#damage;
    return new Promise((resolve, reject) => {
      if (this.#closed) throw new Error("The storage is closed");
      this.#queue.push({
        preferred: threadFor(args[0]),
        isLong: LONG.has(method),
        send(worker) {
          worker.once("message", (answer: Answer<Answered<Method>>) => {
            if (answer.ok) resolve(answer.value);
            else reject(damage.explain(fromThreadError(answer.error)));
          });
          worker.postMessage({ method, args });
        },
        fail: reject,
      });
      this.#dispatch();
    });
  }

  /** Clears the caches of all threads. */
  forget(): void {
    for (const thread of this.#threads) thread?.worker.postMessage(FORGET);
  }

  /** Ends the threads; unanswered calls fail. */
  async close(): Promise<void> {
    this.#closed = true;
    const closed = new Error("The storage was closed before the read completed");
    for (const job of this.#queue.splice(0)) job.fail(closed);
    await Promise.all(
      this.#threads.map(async (thread) => {
        clearTimeout(thread?.idle);
        thread?.job?.fail(closed);
        if (thread) await end(thread.worker);
      }),
    );
  }

  #dispatch(): void {
    for (let index = 0; index < this.#queue.length; ) {
      const job = this.#queue[index];
      const slot = job ? this.#freeSlot(job) : null;
      if (!job || slot === null) {
        index += 1;
        continue;
      }
      this.#queue.splice(index, 1);
      const thread = this.#threads[slot] ?? this.#start(slot);
      thread.job = job;
      job.send(thread.worker);
    }
  }

  #freeSlot({ preferred, isLong }: Job): number | null {
    const long = this.#threads.filter((thread) => thread?.job?.isLong).length;
    if (isLong && long >= THREADS_FOR_LONG) return null;
    const free = [preferred, ...this.#threads.keys()].filter((slot) => !this.#threads[slot]?.job);
    // Another thread is started only if all are busy: each takes 40 MB.
    return free.find((slot) => this.#threads[slot]) ?? free[0] ?? null;
  }

  #start(slot: number): Thread {
    const worker = new Worker(new URL("./reader-thread.ts", import.meta.url), {
      workerData: this.#file,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION },
    });
    const thread: Thread = { worker, job: null, idle: setTimeout(() => this.#endIdle(slot, thread), IDLE_MS) };
    thread.idle.unref();
    this.#threads[slot] = thread;
    worker.on("message", () => {
      thread.job = null;
      thread.idle.refresh();
      this.#dispatch();
    });
    worker.on("error", (error) => this.#lose(slot, thread, error));
    worker.on("exit", (code) => this.#lose(slot, thread, new Error(`The thread ended with code ${code}`)));
    return thread;
  }

  #endIdle(slot: number, thread: Thread): void {
    if (thread.job) return;
    this.#threads[slot] = null;
    void end(thread.worker);
  }

  #lose(slot: number, thread: Thread, cause: unknown): void {
    if (this.#closed || this.#threads[slot] !== thread) return;
    this.#threads[slot] = null;
    this.#logger.error({ err: cause }, "A reader thread crashed; the next read starts another");
    thread.job?.fail(new Error("The reader thread crashed before it answered", { cause }));
    this.#dispatch();
  }
}

/**
 * Lets a thread finish its call, then ends it. Terminating a thread while it deflates a snapshot crashes the process
 * (an assertion in Node's zlib), so this is done only after a timeout.
 */
async function end(worker: Worker): Promise<void> {
  const ended = new Promise((resolve) => worker.once("exit", resolve));
  worker.postMessage(CLOSE);
  const late = setTimeout(() => worker.terminate(), CLOSE_TIMEOUT_MS);
  await ended;
  clearTimeout(late);
}

/** Reads of one conversation prefer the same thread, which may have its session cached. */
function threadFor(key: unknown): number {
  if (typeof key !== "string") return 0;
  let sum = 0;
  for (let index = 0; index < key.length; index += 1) sum = (sum * 31 + key.charCodeAt(index)) >>> 0;
  return sum % THREADS;
}
