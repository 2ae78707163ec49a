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

/** Traces of agents elsewhere, on their way into the log (E15). */
export interface Traces {
  /** Keeps the spans of a request, to be told; on disk when it resolves. Tells what was refused. Throws `MalformedSpans`. */
  take(request: SpanRequest): Promise<Received["rejected"]>;
  /** The traces that wait until they are whole, or nothing more of them comes. */
  waiting: WaitingTraces;
  /** Goes on with what an earlier process left. */
  start(): Promise<void>;
  /** Ends what is under way, and tells no more. */
  stop(): Promise<void>;
}

/** How many traces wait to be told. */
interface WaitingTraces {
  count(): number;
  /** Calls back when their number may have changed, until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

/** What it has of the server. */
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

/** So many events are one transaction: longer ones would hold other requests up. */
const EVENTS_AT_ONCE = 500;
/** A collector sends thousands: so many are kept in one transaction, about 5 ms. */
const SPANS_KEPT_AT_ONCE = 200;
/** So many spans are read without a pause. */
const SPANS_AT_ONCE = 100;
/** More of a trace than this is told in parts, as if it had come one after the other. */
const MOST_NEWS: MostNews = { spans: 20_000, characters: 32 * 1024 * 1024 };
/** What requests repeat of a conversation is looked for in so many of its messages. */
const MESSAGES_LOOKED_AT = 500;

/** Exporters send many requests a second, and nobody sees a count change more often, ms. */
const NOTIFY_EVERY_MS = 200;

/** Takes spans and tells their traces when they are whole, or nothing more comes. */
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
        // Others have their turn between two transactions, and after the request was read.
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

/** When the first of these spans of each trace began, epoch ms. */
function beginnings(spans: readonly ReceivedSpan[]): Map<string, number> {
  const first = new Map<string, number>();
  for (const { trace_id, began } of spans) first.set(trace_id, Math.min(began, first.get(trace_id) ?? began));
  return first;
}

/** The newest writing in each conversation: what one was told counts for the next. */
type Turns = Map<string, Promise<unknown>>;

/** Reads what waits of a trace, to be written as soon as those before it in its conversations are. */
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

/** Writes a trace's events, and tells whether more of it waits then. */
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
      // The next start goes on: what is told twice is there once.
      if (stopping.aborted) return false;
      await spans.tell(trace.id, upTo, page, false);
      page = [];
    }
    page.push(event);
  }
  return spans.tell(trace.id, upTo, page, true);
}

/** What cannot be understood is kept as it is, so that it does not keep its trace from being told. */
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

/** In a fork this server and its people alone write: what names one is told in a session of its own. */
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
