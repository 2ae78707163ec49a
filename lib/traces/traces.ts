import { setImmediate as breath } from "node:timers/promises";
import type { Conversations, MostNews, SpanStore, TraceNews } from "../../db/repositories.ts";
import type { Clock } from "../engine/ports.ts";
import { createNotifier } from "../event-loop/notifier.ts";
import { MAPPED_PAYLOADS } from "../intake/otlp/mapped-state.ts";
import type { Said } from "../intake/otlp/thread.ts";
import { preparedEvent } from "./prepared-event.ts";
import type { Received, ReceivedSpan, SpanRequest } from "./receive.ts";
import { createTraceBuffer } from "./trace-buffer.ts";
import type { TraceMapping, TraceRead } from "./trace-mapping.ts";

/** Receives traces of other agents and writes them to the log (E15). */
export interface Traces {
  /** Stores the spans of a request, to be mapped later; on disk when it resolves. Returns rejections. Throws `MalformedSpans`. */
  take(request: SpanRequest): Promise<Received["rejected"]>;
  /** The traces that are buffered until they are complete, or nothing more arrives. */
  waiting: WaitingTraces;
  /** Continues with what an earlier process left. */
  start(): Promise<void>;
  /** Completes what is running, and maps nothing more. */
  stop(): Promise<void>;
}

/** How many traces are buffered. */
interface WaitingTraces {
  count(): number;
  /** Calls `listener` when the number may have changed, until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

/** Its dependencies. */
export interface TracesNeeds {
  /** Reads the spans of a request. Throws `MalformedSpans`. */
  receive(request: SpanRequest): Promise<Received>;
  mapping: TraceMapping;
  spans: SpanStore;
  conversations: Pick<Conversations, "get">;
  clock: Clock;
  /** How long it waits for parents that are missing, ms. */
  settle: number;
  logger: { error(details: object, message: string): void };
  stopping: AbortSignal;
}

/** Spans a transaction, about 5 ms: a collector sends thousands. */
const SPANS_KEPT_AT_ONCE = 200;
/** A larger trace is mapped in parts, as if they had arrived one after the other. */
const MOST_NEWS: MostNews = { spans: 20_000, characters: 32 * 1024 * 1024 };
/** A span of so many characters counts as two. */
const CHARACTERS_OF_LARGE = 4 * 1024;
/** How many of a conversation's messages are compared with those that model requests repeat. */
const MESSAGES_LOOKED_AT = 500;

/** How often it looks for traces of other replicas that may have ended, ms. */
const LOOK_MS = 10_000;
/** A living replica has mapped a trace by so long after it had to, ms. */
const OVERDUE_MS = 5_000;

/** How often the count is published at most, ms: exporters send many requests a second. */
const NOTIFY_EVERY_MS = 200;

/** Stores spans, and maps their traces when they are complete or nothing more arrives. */
export function createTraces(needs: TracesNeeds): Traces {
  const { spans, clock, settle, logger } = needs;
  const turns: Turns = new Map();
  const notifier = createNotifier<void>(() => NOTIFY_EVERY_MS);
  const buffer = createTraceBuffer({
    ...needs,
    isWhole: spans.isWhole,
    take: (traceId) => takeTrace(needs, traceId, turns).finally(() => notifier.publish()),
  });
  let cancelLook: (() => void) | null = null;
  let isStopped = false;
  function lookLater(): void {
    if (!isStopped) cancelLook = clock.later(LOOK_MS, () => void takeOver());
  }
  async function takeOver(): Promise<void> {
    try {
      for (const { trace_id, since, newest } of await spans.abandoned(settle + OVERDUE_MS))
        buffer.add(trace_id, { since, newest, began: since });
    } catch (error) {
      logger.error({ err: error }, "Could not look for traces of replicas that have ended");
    }
    lookLater();
  }
  return {
    async take(request) {
      const received = await needs.receive(request);
      for (let start = 0; start < received.spans.length; start += SPANS_KEPT_AT_ONCE) {
        // Yields between transactions, and after the request was read.
        await breath();
        const part = received.spans.slice(start, start + SPANS_KEPT_AT_ONCE);
        const news = new Set(await spans.keep(part));
        buffer.received(beginnings(part.filter(({ trace_id }) => news.has(trace_id))));
        notifier.publish();
      }
      return received.rejected;
    },
    async start() {
      for (const { trace_id, since, newest } of await spans.waiting())
        buffer.add(trace_id, { since, newest, began: since });
      lookLater();
    },
    async stop() {
      isStopped = true;
      cancelLook?.();
      await buffer.stop();
    },
    waiting: { count: buffer.count, subscribe: notifier.subscribe },
  };
}

/** The earliest start among these spans, by trace, epoch ms. */
function beginnings(spans: readonly ReceivedSpan[]): Map<string, number> {
  const first = new Map<string, number>();
  for (const { trace_id, began } of spans) first.set(trace_id, Math.min(began, first.get(trace_id) ?? began));
  return first;
}

/** The newest write of each conversation: the next one depends on it. */
type Turns = Map<string, Promise<unknown>>;

/** Takes the buffered spans of a trace, to be read, and then written after earlier traces of its conversations. */
async function takeTrace(needs: TracesNeeds, traceId: string, turns: Turns) {
  const news = await needs.spans.news(traceId, MAPPED_PAYLOADS, MOST_NEWS);
  lastKey += 1;
  const key = lastKey;
  return {
    size: news.spans.reduce((sum, { content }) => sum + 1 + content.length / CHARACTERS_OF_LARGE, 0),
    async read() {
      const { conversations, faults } = await readBesideForks(needs, key, traceId, news);
      for (const { span_id, message } of faults)
        needs.logger.error({ err: message, trace_id: traceId, span_id }, "Could not map a span");
      return () => {
        const before = Promise.allSettled(conversations.map((id) => turns.get(id)));
        const told: Promise<boolean> = before
          .then(() => write(needs, { key, traceId, conversations, upTo: news.upTo }))
          .finally(() => {
            needs.mapping.drop(key);
            for (const id of conversations) if (turns.get(id) === told) turns.delete(id);
          });
        for (const id of conversations) turns.set(id, told);
        return told;
      };
    },
  };
}

/** Names the traces that are being mapped. */
let lastKey = 0;

/** Reads a trace. Only this server and its operators write to forks: spans that name one get a conversation of their own. */
async function readBesideForks(
  { mapping, conversations }: TracesNeeds,
  key: number,
  id: string,
  { spans, told }: TraceNews,
): Promise<TraceRead> {
  const contents = spans.map(({ content }) => content);
  const read = await mapping.read(key, { id, contents, told, forks: [] });
  const forks: string[] = [];
  for (const name of read.named) if ((await conversations.get(name))?.forked_from) forks.push(name);
  return forks.length === 0 ? read : mapping.read(key, { id, contents, told, forks });
}

interface TraceToWrite {
  key: number;
  traceId: string;
  conversations: readonly string[];
  upTo: number;
}

/** Writes a trace's events; resolves to whether more of its spans are buffered by then. */
async function write(
  { spans, mapping, stopping }: TracesNeeds,
  { key, traceId, conversations, upTo }: TraceToWrite,
): Promise<boolean> {
  const said = new Map<string, Said[] | null>();
  for (const id of conversations) said.set(id, await saidIn(spans, id, traceId));
  let page = await mapping.map(key, said);
  while (!page.isLast) {
    await spans.tell(traceId, upTo, page.events.map(preparedEvent), false);
    // The next start continues: events that are written twice are stored once.
    if (stopping.aborted) return false;
    page = await mapping.map(key, null);
  }
  return spans.tell(traceId, upTo, page.events.map(preparedEvent), true);
}

async function saidIn(spans: SpanStore, conversationId: string, traceId: string): Promise<Said[] | null> {
  const messages = await spans.saidBefore(conversationId, traceId, MESSAGES_LOOKED_AT);
  return (
    messages?.map(({ role, content }) => ({ role: role === "user" ? "user" : "assistant", text: content })) ?? null
  );
}
