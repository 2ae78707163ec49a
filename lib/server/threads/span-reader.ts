import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import type { SaidBefore } from "../../intake/otlp/mapping/map-trace.ts";
import { MalformedSpans } from "../../intake/otlp/protocol/decode.ts";
import type { OtlpRequest, Received } from "../../traces/receive.ts";
import {
  createTraceMapping,
  type MappedPage,
  type TraceMapping,
  type TraceRead,
  type UnreadTrace,
} from "../../traces/trace-mapping.ts";
import { readOtlpRequest } from "./otlp-request.ts";
import { type RunningThread, ThreadOnDemand } from "./thread-on-demand.ts";

/** A request with spans to parse. */
export interface RequestOrder {
  id: number;
  is: "request";
  request: OtlpRequest;
}

/** The thread is to read a trace, or to map the one that it has by a key. */
export type MappingOrder = { id: number; key: number } & (
  | { is: "read"; trace: UnreadTrace }
  | { is: "map"; said: SaidBefore | null }
);

/** What the thread is told, several in a message. */
export type SpanOrder = RequestOrder | MappingOrder | { is: "drop"; key: number };

/** Its reply to each but the last. */
export type SpanReply = { id: number } & (
  | { is: "received"; received: Received }
  | { is: "read"; read: TraceRead }
  | { is: "mapped"; page: MappedPage }
  | { is: "malformed"; message: string; tooLarge: boolean }
  | { is: "broken"; error: unknown }
);

/**
 * Smaller requests, of about 50 spans, are parsed in the main thread, which takes 2 ms. So are traces, while the thread is not
 * running and no more of them are being mapped.
 */
const SMALL = 64 * 1024;
/** An idle thread ends after this time, to free its memory. */
const IDLE_MS = 30_000;
/** The largest request, of 20 MB, takes an eighth of it, and two of the largest traces half, MB. */
const MEMORY = { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 64 };

type Thread = RunningThread<SpanReply>;

/** Parses requests with spans, and maps traces. */
export interface SpanReader {
  /** Throws `MalformedSpans`. */
  receive(request: OtlpRequest): Promise<Received>;
  mapping: TraceMapping;
  close(): Promise<void>;
}

/**
 * Parses large requests and maps traces in a thread, which starts on demand. If it dies, its requests fail and exporters
 * retry them; traces are on disk.
 */
export function createSpanReader(logger: Logger): SpanReader {
  const threads = new ThreadOnDemand<SpanReply>({
    name: "The thread that reads spans",
    start: () => new Worker(new URL("./span-thread.ts", import.meta.url), { resourceLimits: MEMORY }),
    idle_ms: IDLE_MS,
    isNeeded: (thread) => places.values().some((place) => place.thread === thread),
    logger,
  });
  /** To be sent to a thread in its next message. */
  const orders = new WeakMap<Thread, SpanOrder[]>();

  /** Sends an order with all others of this turn of the event loop: a message costs more than what most of them hold. */
  function send(to: Thread, order: SpanOrder): void {
    const others = orders.get(to);
    if (others) return void others.push(order);
    const own = [order];
    orders.set(to, own);
    setImmediate(() => {
      orders.delete(to);
      to.worker.postMessage(own);
    });
  }

  function ask<T extends RequestOrder | MappingOrder>(to: Thread, orderOf: (id: number) => T): Promise<SpanReply> {
    const id = threads.newId();
    send(to, orderOf(id));
    return threads.reply(to, id);
  }

  const here = createTraceMapping();
  /** Where each trace is that is being mapped, and how large it is. */
  const places = new Map<number, { thread: Thread | null; size: number }>();
  let sizeHere = 0;

  function placed(size: number): Thread | null {
    return threads.running || sizeHere + size > SMALL ? threads.started() : null;
  }

  function leave(key: number): void {
    const place = places.get(key);
    if (place?.thread === null) sizeHere -= place.size;
    places.delete(key);
  }

  function threadOf(key: number): Thread | null {
    const place = places.get(key);
    if (!place || (place.thread !== null && place.thread !== threads.running))
      throw new Error("The thread that has read the trace has ended");
    return place.thread;
  }

  async function pageOf(key: number, said: SaidBefore | null): Promise<MappedPage> {
    const at = threadOf(key);
    if (at === null) return here.map(key, said);
    const reply = await ask(at, (id) => ({ id, key, is: "map", said }));
    if (reply.is !== "mapped") throw errorOf(reply);
    return reply.page;
  }

  return {
    async receive(request) {
      if (request.bytes.length < SMALL) return readOtlpRequest(request);
      const reply = await ask(threads.started(), (id) => ({ id, is: "request", request }));
      if (reply.is !== "received") throw errorOf(reply);
      return reply.received;
    },
    mapping: {
      async read(key, trace) {
        const logs = trace.logs.flatMap(({ contents }) => contents);
        const size = logs.reduce((sum, { length }) => sum + length, trace.contents.length);
        leave(key);
        const at = placed(size);
        places.set(key, { thread: at, size });
        if (at === null) {
          sizeHere += size;
          return here.read(key, trace);
        }
        const reply = await ask(at, (id) => ({ id, key, is: "read", trace }));
        if (reply.is !== "read") throw errorOf(reply);
        return reply.read;
      },
      async map(key, said) {
        const page = await pageOf(key, said);
        if (page.isLast) leave(key);
        return page;
      },
      drop(key) {
        const at = places.get(key)?.thread;
        leave(key);
        if (!at) here.drop(key);
        else if (at === threads.running) send(at, { is: "drop", key });
      },
    },
    close: () => threads.close(),
  };
}

function errorOf(reply: SpanReply): Error {
  switch (reply.is) {
    case "malformed":
      return new MalformedSpans(reply.message, { tooLarge: reply.tooLarge });
    case "broken":
      return new Error("The spans could not be read", { cause: reply.error });
    default:
      return new Error(`The thread that reads spans replied with ${reply.is}`);
  }
}
