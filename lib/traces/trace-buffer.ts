import type { Clock } from "../engine/ports.ts";

/** When the first and the newest of a trace's waiting spans came, epoch ms. */
export interface Arrival {
  since: number;
  newest: number;
  /** When the first of them began, epoch ms, as far as it is known. */
  began: number;
}

interface TraceBufferNeeds {
  /** One that goes on evenly: a clock set back must hold up nothing. */
  clock: Clock;
  /** How long a trace with missing parents waits for more, ms. */
  settle: number;
  isWhole(traceId: string): Promise<boolean>;
  /** Reads what waits of a trace. */
  read(traceId: string): Promise<ReadTrace>;
  logger: { error(details: object, message: string): void };
  stopping: AbortSignal;
}

/** A trace that has been read, to be told. */
interface ReadTrace {
  /** How many spans of it are told. */
  size: number;
  /** Writes them, together with all that is written in the same turn; says whether more of the trace waits then. */
  write(): Promise<boolean>;
}

/** Traces that wait until they can be told. */
export interface TraceBuffer {
  /** These traces have news, whose first spans began then, epoch ms. */
  received(traces: ReadonlyMap<string, number>): void;
  /** A trace has waited since an earlier process. */
  add(traceId: string, heard: Arrival): void;
  /** How many traces wait. */
  count(): number;
  /** Ends what is under way and begins no more. */
  stop(): Promise<void>;
}

/**
 * A trace whose parents are all there is told when nothing has come for so long, ms: requests of one exporter overtake each
 * other, and what comes after is told after.
 */
const QUIET_MS = 1_000;
/** No trace waits longer, however much of it still comes: people want to see what goes on. */
const LONGEST_MS = 60_000;
/** A trace that could not be told is tried again after so long. */
const RETRY_MS = 30_000;
/** Traces are written together until they have so many spans: they share transactions, and so what those cost. */
const SPANS_AT_ONCE = 300;

/** A trace that is written with the next ones. */
interface Reading {
  traceId: string;
  heard: Arrival;
  trace: ReadTrace;
}

interface Waiting extends Arrival {
  /** Nothing is done before, epoch ms. */
  due: number;
}

/** Makes the place where traces wait until they are whole and quiet, or have waited long enough (E15). */
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
    // Traces of one conversation are its turns, one after the other.
    const ripe = [...waiting].filter(([, { due }]) => due <= now).sort(([, a], [, b]) => a.began - b.began);
    let read: Reading[] = [];
    let writing: Promise<unknown> = Promise.resolve();
    for (const [traceId, { due: _, ...heard }] of ripe) {
      const { since, newest } = heard;
      if (stopping.aborted) return void (await writing);
      // News that have come meanwhile begin another wait.
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
      // While these are written and the disk is waited for, the next are read.
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
      // The machine's clock may have been set back since.
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
