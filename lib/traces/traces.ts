import { setImmediate as breath } from "node:timers/promises";
import type {
  Conversations,
  MostNews,
  ScoreStore,
  SpanStore,
  TraceNews,
  WaitingSpan,
  WaitingTrace,
} from "../../db/repositories.ts";
import type { Clock } from "../engine/ports.ts";
import { createNotifier } from "../event-loop/notifier.ts";
import { MAPPED_PAYLOADS } from "../intake/otlp/mapping/mapped-state.ts";
import type { Said } from "../intake/otlp/mapping/thread.ts";
import { createDroppedTraces, type DroppedTraces } from "./dropped-traces.ts";
import { preparedEvent } from "./prepared-event.ts";
import type { OtlpRequest, Received, ReceivedLog } from "./receive.ts";
import { contentsOf, KEPT_AT_ONCE, type ReceivedSpan, sizeOf, spansOf } from "./received-spans.ts";
import { createSpanLogs, type LogsOfSpan, type SpanLogs } from "./span-logs.ts";
import { createSpanScores } from "./span-scores.ts";
import { createTraceBuffer } from "./trace-buffer.ts";
import type { TraceMapping, TraceRead } from "./trace-mapping.ts";
import { createUnreadCounts, type UnreadCounts, type UnreadReport } from "./unread-counts.ts";

/** Receives traces of other agents and writes them to the log (E15). */
export interface Traces {
  /** Stores the spans or logs of a request, to be mapped later; on disk when it resolves. Returns rejections. Throws `MalformedSpans`. */
  take(request: OtlpRequest): Promise<Received["rejected"]>;
  /** The traces that are buffered until they are complete, or nothing more arrives. */
  waiting: WaitingTraces;
  /** What of all this no adapter read, since the process started. */
  unread(): UnreadReport;
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
  /** Reads a request. Throws `MalformedSpans`. */
  receive(request: OtlpRequest): Promise<Received>;
  mapping: TraceMapping;
  spans: SpanStore;
  scores: ScoreStore;
  conversations: Pick<Conversations, "get">;
  clock: Clock;
  /** How long it waits for parents that are missing, ms. */
  settle: number;
  logger: { error(details: object, message: string): void };
  stopping: AbortSignal;
}

/** A larger trace is mapped in parts, as if they had arrived one after the other. */
const MOST_NEWS: MostNews = { spans: 20_000, characters: 32 * 1024 * 1024 };
/** A span or log of so many characters counts as two. */
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
  /** By trace, the spans that say nothing without logs, which have not come. */
  const silent = new Map<string, Set<string>>();
  const dropped = createDroppedTraces();
  const unread = createUnreadCounts(new Date().toISOString());
  const logs = createSpanLogs({ ...needs, isWaiting: (traceId) => buffer.has(traceId), dropped: unread.dropLogs });
  const scores = createSpanScores(needs);
  const buffer = createTraceBuffer({
    ...needs,
    isWhole: async (traceId) => !silent.get(traceId)?.size && (await spans.isWhole(traceId)),
    take(traceId, goesOn) {
      silent.delete(traceId);
      return takeTrace({ ...needs, logs, unread, dropped }, traceId, turns, goesOn).finally(() => notifier.publish());
    },
  });
  function addWaiting(traces: readonly WaitingTrace[]): void {
    for (const waiting of traces) {
      const { trace_id, since, newest } = waiting;
      if (!logs.add(waiting)) buffer.add(trace_id, { since, newest, began: since });
    }
  }
  let cancelLook: (() => void) | null = null;
  let isStopped = false;
  function lookLater(): void {
    if (!isStopped) cancelLook = clock.later(LOOK_MS, () => void takeOver());
  }
  async function takeOver(): Promise<void> {
    try {
      addWaiting(await spans.abandoned(settle + OVERDUE_MS));
    } catch (error) {
      logger.error({ err: error }, "Could not look for traces of replicas that have ended");
    }
    lookLater();
  }

  async function takeSpans(part: readonly ReceivedSpan[]): Promise<void> {
    const again = [...new Set(part.map(({ trace_id }) => trace_id))].flatMap((traceId) => dropped.take(traceId));
    const kept = new Set(await spans.keep([...again, ...part]));
    const news = part.filter(({ trace_id }) => kept.has(trace_id));
    for (const { trace_id, span_id, awaitsLogs } of news) {
      if (!awaitsLogs || logs.hasAnswer(trace_id, span_id)) continue;
      silent.set(trace_id, (silent.get(trace_id) ?? new Set()).add(span_id));
    }
    buffer.received(beginnings(news));
  }

  async function takeLogs(part: readonly ReceivedLog[]): Promise<void> {
    await logs.keep(part);
    for (const { trace_id, span_id, isAnswer } of part) if (isAnswer) silent.get(trace_id)?.delete(span_id);
    const waiting = part.filter(({ trace_id }) => buffer.has(trace_id));
    // They are no beginning, but news: more of them may follow.
    buffer.received(new Map(waiting.map(({ trace_id }) => [trace_id, Number.POSITIVE_INFINITY])));
  }

  return {
    async take(request) {
      const received = await needs.receive(request);
      for (const part of received.spans) {
        // Yields between transactions, and after the request was read.
        await breath();
        await takeSpans(spansOf(part));
        notifier.publish();
      }
      for (const part of partsOf(received.logs)) {
        await breath();
        await takeLogs(part);
      }
      await scores.keep(received.scores);
      for (const one of received.unread) unread.addLogs(one);
      return received.rejected;
    },
    async start() {
      addWaiting(await spans.waiting());
      lookLater();
      scores.start();
    },
    async stop() {
      isStopped = true;
      cancelLook?.();
      logs.stop();
      scores.stop();
      await buffer.stop();
    },
    waiting: { count: buffer.count, subscribe: notifier.subscribe },
    unread: unread.report,
  };
}

function* partsOf<T>(items: readonly T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += KEPT_AT_ONCE) yield items.slice(start, start + KEPT_AT_ONCE);
}

/** The earliest start among these spans, by trace, epoch ms. */
function beginnings(spans: readonly ReceivedSpan[]): Map<string, number> {
  const first = new Map<string, number>();
  for (const { trace_id, began } of spans) first.set(trace_id, Math.min(began, first.get(trace_id) ?? began));
  return first;
}

/** The newest write of each conversation: the next one depends on it. */
type Turns = Map<string, Promise<unknown>>;

interface MappingNeeds extends TracesNeeds {
  logs: SpanLogs;
  unread: UnreadCounts;
  dropped: DroppedTraces;
}

/**
 * Takes the buffered spans of a trace, to be read, and then written after earlier traces of its conversations. Of one that
 * goes on, the newest stay in the buffer: its run is ended with them, also by another process.
 */
async function takeTrace(needs: MappingNeeds, traceId: string, turns: Turns, isGoingOn: boolean) {
  const all = await needs.spans.news(traceId, MAPPED_PAYLOADS, MOST_NEWS);
  const kept = isGoingOn ? newestBranch(all.spans) : 0;
  const goesOn = kept > 0;
  const spans = all.spans.length - kept;
  const news = goesOn ? await needs.spans.news(traceId, MAPPED_PAYLOADS, { ...MOST_NEWS, spans }) : all;
  const ids = news.spans.map(({ span_id }) => span_id);
  const logs = await needs.logs.read(traceId, ids);
  lastKey += 1;
  const key = lastKey;
  return {
    size:
      weightOf(news.spans.map(sizeOf)) + weightOf(logs.flatMap(({ contents }) => contents.map(({ length }) => length))),
    async read() {
      const { conversations, faults, readings, isDropped } = await readBesideForks(needs, key, traceId, {
        ...news,
        logs,
        goesOn,
      });
      for (const { span_id, message } of faults)
        needs.logger.error({ err: message, trace_id: traceId, span_id }, "Could not map a span");
      return () => {
        const before = Promise.allSettled(conversations.map((id) => turns.get(id)));
        const told: Promise<boolean> = before
          .then(() => write(needs, { key, traceId, conversations, upTo: news.upTo }))
          .then(async (isLeft) => {
            if (!needs.stopping.aborted) await needs.logs.forget(traceId, logs);
            needs.unread.add(readings, isDropped);
            if (isDropped) needs.dropped.add(traceId, news.spans);
            return isLeft;
          })
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

/**
 * How many of the newest spans can wait: the last one, with those before it that are below it or came since: a span is not
 * told before its parent. 0: all would.
 */
function newestBranch(spans: readonly WaitingSpan[]): number {
  const place = new Map(spans.map(({ span_id }, index) => [span_id, index]));
  let first = spans.length - 1;
  for (let index = spans.length - 1; index >= 0; index--) {
    const parent = place.get(spans[index]?.parent_span_id ?? "");
    if (parent !== undefined && parent >= first) first = Math.min(first, index);
  }
  return first <= 0 ? 0 : spans.length - first;
}

function weightOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + 1 + size / CHARACTERS_OF_LARGE, 0);
}

/** Names the traces that are being mapped. */
let lastKey = 0;

/** Reads a trace. Only this server and its operators write to forks: spans that name one get a conversation of their own. */
async function readBesideForks(
  { mapping, conversations }: TracesNeeds,
  key: number,
  id: string,
  { spans, logs, told, goesOn }: TraceNews & { logs: LogsOfSpan[]; goesOn: boolean },
): Promise<TraceRead> {
  const readBeside = (forks: string[]) =>
    mapping.read(key, { id, contents: contentsOf(spans), logs, told, goesOn, forks });
  const read = await readBeside([]);
  const forks: string[] = [];
  for (const name of read.named) if ((await conversations.get(name))?.forked_from) forks.push(name);
  return forks.length === 0 ? read : readBeside(forks);
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
