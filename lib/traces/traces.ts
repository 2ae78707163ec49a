import { setImmediate as breath } from "node:timers/promises";
import type { Conversations, MostNews, NewEvent, SpanStore } from "../../db/repositories.ts";
import type { Clock } from "../engine/ports.ts";
import { createNotifier } from "../event-loop/notifier.ts";
import { conversationsOf, mapTrace } from "../intake/otlp/map-trace.ts";
import { MAPPED_PAYLOADS, readMappedState } from "../intake/otlp/mapped-state.ts";
import { meaningOf } from "../intake/otlp/meaning.ts";
import { identifierOf } from "../intake/otlp/names.ts";
import type { Span } from "../intake/otlp/span.ts";
import { readSpan } from "../intake/otlp/stored-span.ts";
import type { Said } from "../intake/otlp/thread.ts";
import { type Trace, traceOf, type Understood } from "../intake/otlp/trace.ts";
import type { Received, ReceivedSpan, SpanRequest } from "./receive.ts";
import { createTraceBuffer } from "./trace-buffer.ts";

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
  spans: SpanStore;
  conversations: Pick<Conversations, "get">;
  clock: Clock;
  /** How long it waits for parents that are missing, ms. */
  settle: number;
  logger: { error(details: object, message: string): void };
  stopping: AbortSignal;
}

/** Events a transaction: longer ones would delay other requests. */
const EVENTS_AT_ONCE = 500;
/** Spans a transaction, about 5 ms: a collector sends thousands. */
const SPANS_KEPT_AT_ONCE = 200;
/** Spans that are read before yielding to the event loop. */
const SPANS_AT_ONCE = 100;
/** A larger trace is mapped in parts, as if they had arrived one after the other. */
const MOST_NEWS: MostNews = { spans: 20_000, characters: 32 * 1024 * 1024 };
/** How many of a conversation's messages are compared with those that model requests repeat. */
const MESSAGES_LOOKED_AT = 500;

/** How often the count is published at most, ms: exporters send many requests a second. */
const NOTIFY_EVERY_MS = 200;

/** Stores spans, and maps their traces when they are complete or nothing more arrives. */
export function createTraces(needs: TracesNeeds): Traces {
  const { spans } = needs;
  const turns: Turns = new Map();
  const notifier = createNotifier<void>(() => NOTIFY_EVERY_MS);
  const buffer = createTraceBuffer({
    ...needs,
    isWhole: spans.isWhole,
    read: (traceId) => readTrace(needs, traceId, turns).finally(() => notifier.publish()),
  });
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
    },
    stop: () => buffer.stop(),
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

/** Reads the buffered spans of a trace, to be written after earlier traces of its conversations. */
async function readTrace(needs: TracesNeeds, traceId: string, turns: Turns) {
  const { spans, conversations: stored, logger } = needs;
  const news = await spans.news(traceId, MAPPED_PAYLOADS, MOST_NEWS);
  const understood: Understood[] = [];
  for (const [index, { content }] of news.spans.entries()) {
    if (index % SPANS_AT_ONCE === 0) await breath();
    understood.push(understand(readSpan(content), logger));
  }
  await leaveForks(understood, stored);
  const trace = traceOf(traceId, understood, readMappedState(news.told));
  const conversations = conversationsOf(trace);
  return {
    size: news.spans.length,
    write: () => {
      const before = Promise.allSettled(conversations.map((id) => turns.get(id)));
      const told: Promise<boolean> = before
        .then(() => write(needs, trace, conversations, news.upTo))
        .finally(() => {
          for (const id of conversations) if (turns.get(id) === told) turns.delete(id);
        });
      for (const id of conversations) turns.set(id, told);
      return told;
    },
  };
}

/** Writes a trace's events; resolves to whether more of its spans are buffered by then. */
async function write(
  { spans, stopping }: TracesNeeds,
  trace: Trace,
  conversations: readonly string[],
  upTo: number,
): Promise<boolean> {
  const said = new Map<string, Said[] | null>();
  for (const id of conversations) said.set(id, await saidIn(spans, id, trace.id));
  let page: NewEvent[] = [];
  for (const event of mapTrace(trace, said)) {
    if (page.length === EVENTS_AT_ONCE) {
      // The next start continues: events that are written twice are stored once.
      if (stopping.aborted) return false;
      await spans.tell(trace.id, upTo, page, false);
      page = [];
    }
    page.push(event);
  }
  return spans.tell(trace.id, upTo, page, true);
}

/** A span that cannot be mapped is stored as it is, so that the rest of its trace can be mapped. */
function understand(span: Span, logger: TracesNeeds["logger"]): Understood {
  try {
    return { span, meaning: meaningOf(span) };
  } catch (error) {
    logger.error({ err: error, trace_id: span.trace_id, span_id: span.span_id }, "Could not map a span");
    const agent = { id: null, name: null };
    const rest = span.attributes;
    return {
      span,
      meaning: { doing: { kind: "other" }, conversation_id: null, user_id: null, agent, error: null, rest },
    };
  }
}

/** Only this server and its operators write to forks: spans that name one get a conversation of their own. */
async function leaveForks(
  understood: readonly Understood[],
  conversations: TracesNeeds["conversations"],
): Promise<void> {
  const isFork = new Map<string, boolean>();
  for (const { meaning } of understood) {
    const id = identifierOf(meaning.conversation_id);
    if (id === null) continue;
    if (!isFork.has(id)) isFork.set(id, Boolean((await conversations.get(id))?.forked_from));
    if (isFork.get(id)) meaning.conversation_id = null;
  }
}

async function saidIn(spans: SpanStore, conversationId: string, traceId: string): Promise<Said[] | null> {
  const messages = await spans.saidBefore(conversationId, traceId, MESSAGES_LOOKED_AT);
  return (
    messages?.map(({ role, content }) => ({ role: role === "user" ? "user" : "assistant", text: content })) ?? null
  );
}
