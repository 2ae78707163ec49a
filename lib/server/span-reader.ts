import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import { MalformedSpans } from "../intake/otlp/decode.ts";
import type { Received, SpanRequest } from "../traces/receive.ts";
import { readSpanRequest } from "./span-request.ts";

/** A request to the thread. */
export interface SpanOrder {
  id: number;
  request: SpanRequest;
}

/** Its reply to each. */
export type SpanReply = { id: number } & (
  | { is: "done"; received: Received }
  | { is: "malformed"; message: string; tooLarge: boolean }
  | { is: "broken"; error: unknown }
);

/** Smaller requests, of about 50 spans, are parsed in the main thread, which takes 2 ms. */
const SMALL = 64 * 1024;
/** An idle thread ends after this time, to free its memory. */
const IDLE_MS = 30_000;
/** The largest request, of 20 MB, takes a quarter of it, MB. */
const MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 24 };

interface Thread {
  worker: Worker;
  waiting: Map<number, { resolve(received: Received): void; reject(error: Error): void }>;
  idle: NodeJS.Timeout;
}

/** Parses requests with spans. */
export interface SpanReader {
  /** Throws `MalformedSpans`. */
  receive(request: SpanRequest): Promise<Received>;
  close(): Promise<void>;
}

/**
 * Parses large requests in a thread, which starts on demand. If it dies, its requests fail and exporters retry them.
 */
export function createSpanReader(logger: Logger): SpanReader {
  let thread: Thread | null = null;
  let last = 0;
  let isClosed = false;

  function started(): Thread {
    if (isClosed) throw new Error("The reader of spans was closed");
    const worker = new Worker(new URL("./span-thread.ts", import.meta.url), { resourceLimits: MEMORY });
    const begun: Thread = { worker, waiting: new Map(), idle: setTimeout(() => endIdle(begun), IDLE_MS) };
    begun.idle.unref();
    worker.on("message", (reply: SpanReply) => {
      const asked = begun.waiting.get(reply.id);
      begun.waiting.delete(reply.id);
      begun.idle.refresh();
      if (reply.is === "done") asked?.resolve(reply.received);
      else asked?.reject(errorOf(reply));
    });
    worker.on("error", (error) => lose(begun, error));
    worker.on("exit", (code) => lose(begun, new Error(`The thread ended with code ${code}`)));
    return begun;
  }

  function lose(lost: Thread, cause: unknown): void {
    if (thread === lost) {
      thread = null;
      if (!isClosed) logger.error({ err: cause }, "The thread that reads spans died; the next request starts another");
    }
    clearTimeout(lost.idle);
    for (const { reject } of lost.waiting.values()) reject(new Error("The thread that reads spans died", { cause }));
    lost.waiting.clear();
  }

  function endIdle(idle: Thread): void {
    if (idle.waiting.size > 0) return;
    if (thread === idle) thread = null;
    void idle.worker.terminate();
  }

  return {
    async receive(request) {
      if (request.bytes.length < SMALL) return readSpanRequest(request);
      thread ??= started();
      last += 1;
      const { promise, resolve, reject } = Promise.withResolvers<Received>();
      thread.waiting.set(last, { resolve, reject });
      thread.worker.postMessage({ id: last, request } satisfies SpanOrder);
      return promise;
    },
    async close() {
      isClosed = true;
      await thread?.worker.terminate();
    },
  };
}

function errorOf(reply: Exclude<SpanReply, { is: "done" }>): Error {
  if (reply.is === "broken") return new Error("The spans could not be read", { cause: reply.error });
  return new MalformedSpans(reply.message, { tooLarge: reply.tooLarge });
}
