import type { MostNews, SpanStore, WaitingSpan, WaitingTrace } from "../../db/repositories.ts";
import type { Clock } from "../engine/ports.ts";
import type { ReceivedLog } from "./receive.ts";

/** Logs that wait for their spans: they hold what a model was given and answered, and come before or after it. */
export interface SpanLogs {
  /** Stores logs, durably. Those of spans that were mapped with logs are dropped. */
  keep(logs: readonly ReceivedLog[]): Promise<void>;
  /** Logs that an earlier process stored; false if these are spans. */
  add(waiting: WaitingTrace): boolean;
  /** Whether a model's answer has come for a span. */
  hasAnswer(traceId: string, spanId: string): boolean;
  /** The logs of a trace's spans that wait. */
  read(traceId: string, spanIds: readonly string[]): Promise<LogsOfSpan[]>;
  /** Their spans were mapped. */
  forget(traceId: string, logs: readonly LogsOfSpan[]): Promise<void>;
  stop(): void;
}

/** The waiting logs of a span. */
export interface LogsOfSpan {
  span_id: string;
  /** As `printEvent` made them. */
  contents: string[];
  keys: string[];
  /** Distinguishes them from those that arrive later. */
  upTo: number;
}

interface SpanLogsNeeds {
  spans: SpanStore;
  clock: Clock;
  /** Whether spans of a trace wait: its logs wait with them. */
  isWaiting(traceId: string): boolean;
  /** Logs are dropped: their spans have not come, or were mapped before. */
  dropped(count: number): void;
  logger: { error(details: object, message: string): void };
}

/** How long a log waits for its span, ms: as long as a trace waits at most. A request to a model takes less. */
const LONGEST_MS = 60_000;
/** Spans that were mapped with logs, whose logs are recognized when they come again. */
const MOST_JOINED = 10_000;
/** What is read of one span's logs. */
const MOST_OF_SPAN: MostNews = { spans: 2_000, characters: 16 * 1024 * 1024 };

interface WaitingLogs {
  since: number;
  hasAnswer: boolean;
}

/** Keeps logs by their spans, beside the spans that wait: a span's logs are stored like a trace of its own. */
export function createSpanLogs({ spans, clock, isWaiting, dropped, logger }: SpanLogsNeeds): SpanLogs {
  const waiting = new Map<string, WaitingLogs>();
  /** By their spans, the keys of the logs that were mapped with them. */
  const joined = new Map<string, ReadonlySet<string>>();
  let cancel: (() => void) | null = null;
  let isStopped = false;

  function schedule(): void {
    if (cancel || isStopped || waiting.size === 0) return;
    cancel = clock.later(LONGEST_MS / 4, () => {
      cancel = null;
      dropOld()
        .catch((error: unknown) => logger.error({ err: error }, "Could not drop logs whose spans did not come"))
        .finally(schedule);
    });
  }

  async function dropOld(): Promise<void> {
    const before = clock.now() - LONGEST_MS;
    for (const [key, { since }] of [...waiting]) {
      if (since > before || isWaiting(traceOf(key))) continue;
      const { spans: logs, upTo } = await spans.news(key, [], MOST_OF_SPAN);
      dropped(logs.length);
      waiting.delete(key);
      await spans.tell(key, upTo, [], true);
    }
  }

  function wait(key: string, since: number, hasAnswer: boolean): void {
    const known = waiting.get(key);
    waiting.set(key, { since: known?.since ?? since, hasAnswer: hasAnswer || (known?.hasAnswer ?? false) });
    schedule();
  }

  return {
    async keep(logs) {
      const late = logs.filter(({ trace_id, span_id }) => joined.has(keyOf(trace_id, span_id)));
      const news = logs.filter((log) => !late.includes(log));
      const isKnown = ({ trace_id, span_id, key }: ReceivedLog) => joined.get(keyOf(trace_id, span_id))?.has(key);
      dropped(late.filter((log) => !isKnown(log)).length);
      if (news.length === 0) return;
      await spans.keep(news.map(stored));
      for (const { trace_id, span_id, isAnswer } of news) wait(keyOf(trace_id, span_id), clock.now(), isAnswer);
    },
    add({ trace_id, since }) {
      if (!trace_id.includes(SEPARATOR)) return false;
      // Whether the answer is among them is not known any more: its span does not wait for more.
      wait(trace_id, Math.min(since, clock.now()), true);
      return true;
    },
    hasAnswer: (traceId, spanId) => waiting.get(keyOf(traceId, spanId))?.hasAnswer ?? false,
    async read(traceId, spanIds) {
      const found: LogsOfSpan[] = [];
      for (const span_id of waiting.size === 0 ? [] : spanIds) {
        const key = keyOf(traceId, span_id);
        if (!waiting.has(key)) continue;
        const { spans: logs, upTo } = await spans.news(key, [], MOST_OF_SPAN);
        const keys = logs.map(({ span_id: key }) => key);
        found.push({ span_id, contents: logs.map(({ content }) => content), keys, upTo });
      }
      return found;
    },
    async forget(traceId, logs) {
      for (const { span_id, keys, upTo } of logs) {
        const key = keyOf(traceId, span_id);
        joined.set(key, new Set(keys));
        if (joined.size > MOST_JOINED) joined.delete(joined.keys().next().value ?? "");
        // What arrived meanwhile is dropped later.
        if (!(await spans.tell(key, upTo, [], true))) waiting.delete(key);
      }
    },
    stop() {
      isStopped = true;
      cancel?.();
    },
  };
}

/** Stands in no trace's id. */
const SEPARATOR = "/";

function keyOf(traceId: string, spanId: string): string {
  return `${traceId}${SEPARATOR}${spanId}`;
}

function traceOf(key: string): string {
  return key.slice(0, key.indexOf(SEPARATOR));
}

function stored({ trace_id, span_id, key, content }: ReceivedLog): WaitingSpan {
  return { trace_id: keyOf(trace_id, span_id), span_id: key, parent_span_id: null, content };
}
