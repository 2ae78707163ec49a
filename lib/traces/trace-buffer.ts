import type { Clock } from "../engine/ports.ts";

/** When the first and the newest of a trace's buffered spans arrived, epoch ms. */
export interface Arrival {
  since: number;
  newest: number;
  /** The earliest span start, epoch ms, as far as known. */
  began: number;
}

interface TraceBufferNeeds {
  /** A monotonic clock: setting the machine's clock back must delay nothing. */
  clock: Clock;
  /** How long a trace with missing parents waits for more, ms. */
  settle: number;
  isWhole(traceId: string): Promise<boolean>;
  /** Reads the buffered spans of a trace. */
  read(traceId: string): Promise<ReadTrace>;
  logger: { error(details: object, message: string): void };
  stopping: AbortSignal;
}

/** A trace that has been read and is to be mapped. */
interface ReadTrace {
  /** How many of its spans are mapped. */
  size: number;
  /** Writes their events; resolves to whether more spans of the trace are buffered by then. */
  write(): Promise<boolean>;
}

/** Traces that are buffered until they can be mapped. */
export interface TraceBuffer {
  /** Spans of these traces arrived; the values are their earliest starts, epoch ms. */
  received(traces: ReadonlyMap<string, number>): void;
  /** A trace that an earlier process buffered. */
  add(traceId: string, heard: Arrival): void;
  /** How many traces are buffered. */
  count(): number;
  /** Completes what is running and starts nothing more. */
  stop(): Promise<void>;
}

/**
 * A trace with all parents is mapped after so long without new spans, ms: requests of one exporter overtake each other, and
 * spans that arrive later are mapped later.
 */
const QUIET_MS = 1_000;
/** The longest time that a trace is buffered, even if spans still arrive: operators want to see it. */
const LONGEST_MS = 60_000;
/** The delay before mapping is retried after an error. */
const RETRY_MS = 30_000;
/** Traces are written together up to so many spans: they share transactions and their cost. */
const SPANS_AT_ONCE = 300;

/** A trace that has been read, to be written with others. */
interface Reading {
  traceId: string;
  heard: Arrival;
  trace: ReadTrace;
}

interface Waiting extends Arrival {
  /** When to look at it next, epoch ms. */
  due: number;
}

/** Buffers traces until they are complete and quiet, or the longest time has passed (E15). */
export function createTraceBuffer(needs: TraceBufferNeeds): TraceBuffer {
  const { clock, settle, isWhole, logger, stopping } = needs;
  const waiting = new Map<string, Waiting>();
  const quiet = Math.min(QUIET_MS, settle);
  let cancel: (() => void) | null = null;
  let working: Promise<void> | null = null;
  let isStopped = false;

  function wait(traceId: string, heard: Arrival): void {
    const { since, newest } = heard;
    waiting.set(traceId, { ...heard, due: Math.min(newest + quiet, since + LONGEST_MS) });
  }

  function schedule(): void {
    cancel?.();
    cancel = null;
    if (working || isStopped || stopping.aborted || waiting.size === 0) return;
    const due = waiting.values().reduce((first, each) => Math.min(first, each.due), Number.POSITIVE_INFINITY);
    cancel = clock.later(Math.max(0, due - clock.now()), () => {
      working = work().finally(() => {
        working = null;
        schedule();
      });
    });
  }

  async function work(): Promise<void> {
    const now = clock.now();
    // Traces of one conversation are its turns, in order.
    const ripe = [...waiting].filter(([, { due }]) => due <= now).sort(([, a], [, b]) => a.began - b.began);
    let read: Reading[] = [];
    let writing: Promise<unknown> = Promise.resolve();
    for (const [traceId, { due: _, ...heard }] of ripe) {
      const { since, newest } = heard;
      if (stopping.aborted) return void (await writing);
      // New spans arrived meanwhile: they start another wait.
      if (waiting.get(traceId)?.newest !== newest) continue;
      waiting.delete(traceId);
      try {
        const isOver = Math.min(newest + settle, since + LONGEST_MS) <= now;
        if (isOver || (await isWhole(traceId))) read.push({ traceId, heard, trace: await needs.read(traceId) });
        else if (!waiting.has(traceId))
          waiting.set(traceId, { ...heard, due: Math.min(newest + settle, since + LONGEST_MS) });
      } catch (error) {
        putOff(traceId, heard, error);
      }
      if (read.reduce((sum, { trace }) => sum + trace.size, 0) < SPANS_AT_ONCE) continue;
      // While these are written and synced, the next ones are read.
      await writing;
      writing = Promise.all(read.map(write));
      read = [];
    }
    await writing;
    await Promise.all(read.map(write));
  }

  async function write({ traceId, heard, trace }: Reading): Promise<void> {
    try {
      const isLeft = await trace.write();
      if (isLeft && !waiting.has(traceId)) wait(traceId, { ...heard, since: clock.now(), newest: clock.now() });
    } catch (error) {
      putOff(traceId, heard, error);
    }
  }

  function putOff(traceId: string, heard: Arrival, error: unknown): void {
    if (stopping.aborted) return;
    logger.error({ err: error, trace_id: traceId }, "Could not map a trace; retrying");
    waiting.set(traceId, { ...heard, due: clock.now() + RETRY_MS });
  }

  return {
    add(traceId, { since, newest, began }) {
      // The machine's clock may have been set back since then.
      const now = clock.now();
      wait(traceId, { since: Math.min(since, now), newest: Math.min(newest, now), began });
      schedule();
    },
    received(traces) {
      const now = clock.now();
      for (const [id, began] of traces) {
        const before = waiting.get(id);
        wait(id, { since: before?.since ?? now, newest: now, began: Math.min(began, before?.began ?? began) });
      }
      schedule();
    },
    count: () => waiting.size,
    async stop() {
      isStopped = true;
      cancel?.();
      await working;
    },
  };
}
