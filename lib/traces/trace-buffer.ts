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
  /** Takes the buffered spans of a trace. */
  take(traceId: string, goesOn: boolean): Promise<TakenTrace>;
  logger: { error(details: object, message: string): void };
  stopping: AbortSignal;
}

/** A trace that is to be mapped. */
interface TakenTrace {
  /** How many spans are mapped; a large one counts as several. */
  size: number;
  /** Reads them, and gives what writes their events: that resolves to whether more spans of the trace are buffered by then. */
  read(): Promise<() => Promise<boolean>>;
}

/** Traces that are buffered until they can be mapped. */
export interface TraceBuffer {
  /** Spans of these traces arrived; the values are their earliest starts, epoch ms. */
  received(traces: ReadonlyMap<string, number>): void;
  /** A trace that an earlier process buffered. */
  add(traceId: string, heard: Arrival): void;
  has(traceId: string): boolean;
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

/**
 * So much is read, mapped and written at once: while the main thread writes for up to 50 ms, the one that maps has as much
 * to do.
 */
const MOST_UNDER_WAY = 1_500;

/** A trace that is being read, to be written with others. */
interface Reading {
  traceId: string;
  heard: Arrival;
  /** Null where it failed. */
  writer: Promise<(() => Promise<boolean>) | null>;
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

  /** Begins with what is due, also while earlier traces are being written, until nothing is. */
  async function work(): Promise<void> {
    do {
      if (!isStopped) await begin();
      await groups.shift()?.written;
    } while (groups.length > 0);
  }

  /** What is being mapped and written, the oldest first. */
  const groups: { size: number; written: Promise<unknown> }[] = [];
  let begun: Promise<unknown> = Promise.resolve();

  async function begin(): Promise<void> {
    const now = clock.now();
    // Traces of one conversation are its turns, in order.
    const ripe = [...waiting].filter(([, { due }]) => due <= now).sort(([, a], [, b]) => a.began - b.began);
    let group: Reading[] = [];
    let size = 0;
    const end = () => {
      const writing = beginWriting(group, begun);
      begun = writing;
      groups.push({ size, written: writing.then((written) => written()) });
      group = [];
      size = 0;
    };
    for (const [traceId, { due: _, ...heard }] of ripe) {
      const { since, newest } = heard;
      if (stopping.aborted) break;
      // New spans arrived meanwhile: they start another wait.
      if (waiting.get(traceId)?.newest !== newest) continue;
      waiting.delete(traceId);
      try {
        const isQuiet = newest + settle <= now;
        const isLate = since + LONGEST_MS <= now;
        const isComplete = !isQuiet && (await isWhole(traceId));
        if (isQuiet || isLate || isComplete) {
          // Its spans keep arriving, and a parent has not: it has not ended.
          const taken = await needs.take(traceId, !isQuiet && !isComplete);
          size += taken.size;
          group.push({ traceId, heard, writer: read(taken, traceId, heard) });
        } else if (!waiting.has(traceId))
          waiting.set(traceId, { ...heard, due: Math.min(newest + settle, since + LONGEST_MS) });
      } catch (error) {
        putOff(traceId, heard, error);
      }
      if (size < SPANS_AT_ONCE) continue;
      // While these are mapped, written and synced, the next ones are read.
      end();
      while (groups.reduce((sum, each) => sum + each.size, 0) > MOST_UNDER_WAY) await groups.shift()?.written;
    }
    if (group.length > 0) end();
  }

  async function read(taken: TakenTrace, traceId: string, heard: Arrival): Promise<(() => Promise<boolean>) | null> {
    try {
      return await taken.read();
    } catch (error) {
      putOff(traceId, heard, error);
      return null;
    }
  }

  /**
   * Begins to write traces in their order, after those `before` and however long it takes to read each. Resolves to what
   * waits for their end.
   */
  async function beginWriting(group: readonly Reading[], before: Promise<unknown>): Promise<() => Promise<unknown>> {
    await before;
    const writing: Promise<void>[] = [];
    for (const { traceId, heard, writer } of group) {
      const writeTrace = await writer;
      if (writeTrace) writing.push(write(writeTrace, traceId, heard));
    }
    return () => Promise.all(writing);
  }

  async function write(writeTrace: () => Promise<boolean>, traceId: string, heard: Arrival): Promise<void> {
    try {
      const isLeft = await writeTrace();
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
    has: (traceId) => waiting.has(traceId),
    count: () => waiting.size,
    async stop() {
      isStopped = true;
      cancel?.();
      await working;
    },
  };
}
