import type { Worker } from "node:worker_threads";
import type { Logger } from "pino";

/** A thread that is running, and who waits for its replies, by their ids. */
export interface RunningThread<Reply> {
  worker: Worker;
  waiting: Map<number, { resolve(reply: Reply): void; reject(error: Error): void }>;
  idle: NodeJS.Timeout;
}

interface ThreadNeeds<Reply> {
  /** What errors and the log call it: "The thread that reads spans". */
  name: string;
  start(): Worker;
  /** How long it lives without a reply while it is not needed, ms. */
  idle_ms: number;
  /** Whether it has to stay although nobody waits for a reply. */
  isNeeded?(thread: RunningThread<Reply>): boolean;
  logger: Logger;
}

/** A thread that starts on demand, and ends when it is idle, to free its memory. If it dies, whoever waits for a reply fails. */
export class ThreadOnDemand<Reply extends { id: number }> {
  readonly #needs: ThreadNeeds<Reply>;
  #running: RunningThread<Reply> | null = null;
  #last = 0;
  #isClosed = false;

  constructor(needs: ThreadNeeds<Reply>) {
    this.#needs = needs;
  }

  get running(): RunningThread<Reply> | null {
    return this.#running;
  }

  /** The running thread, or a new one. */
  started(): RunningThread<Reply> {
    this.#running ??= this.#start();
    return this.#running;
  }

  /** An id for a request and its reply. */
  newId(): number {
    this.#last += 1;
    return this.#last;
  }

  /** The next reply with an id. */
  reply({ waiting }: RunningThread<Reply>, id: number): Promise<Reply> {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    waiting.set(id, { resolve, reject });
    return promise;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running?.worker.terminate();
  }

  #start(): RunningThread<Reply> {
    const { name, start, idle_ms } = this.#needs;
    if (this.#isClosed) throw new Error(`${name} was closed`);
    const worker = start();
    const idle = setTimeout(() => this.#endIdle(begun), idle_ms);
    const begun: RunningThread<Reply> = { worker, waiting: new Map(), idle };
    idle.unref();
    worker.on("message", (message: Reply | Reply[]) => {
      idle.refresh();
      for (const reply of Array.isArray(message) ? message : [message]) {
        const asked = begun.waiting.get(reply.id);
        begun.waiting.delete(reply.id);
        asked?.resolve(reply);
      }
    });
    worker.on("error", (error) => this.#lose(begun, error));
    worker.on("exit", (code) => this.#lose(begun, new Error(`The thread ended with code ${code}`)));
    return begun;
  }

  #lose(lost: RunningThread<Reply>, cause: unknown): void {
    const { name, logger } = this.#needs;
    if (this.#running === lost) {
      this.#running = null;
      if (!this.#isClosed) logger.error({ err: cause }, `${name} died; the next request starts another`);
    }
    clearTimeout(lost.idle);
    for (const { reject } of lost.waiting.values()) reject(new Error(`${name} died`, { cause }));
    lost.waiting.clear();
  }

  #endIdle(thread: RunningThread<Reply>): void {
    if (thread.waiting.size > 0 || this.#needs.isNeeded?.(thread)) return void thread.idle.refresh();
    if (this.#running === thread) this.#running = null;
    void thread.worker.terminate();
  }
}
