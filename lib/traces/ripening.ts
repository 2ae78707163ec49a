import type { Clock } from "../engine/ports.ts";

/** When the first and the newest of a trace's waiting spans came, epoch ms. */
export interface Heard {
  since: number;
  newest: number;
}

interface RipeningNeeds {
  clock: Clock;
  /** How long a trace with missing parents waits for more, ms. */
  settle: number;
  isWhole(traceId: string): Promise<boolean>;
  /** Begins to tell a trace, one after another; `told` says whether more of it waits then. */
  tell(traceId: string): Promise<{ told: Promise<boolean> }>;
  logger: { error(details: object, message: string): void };
  stopping: AbortSignal;
}

/** Traces that wait until they can be told. */
export interface Ripening {
  /** These traces have news. */
  heard(traceIds: readonly string[]): void;
  /** A trace has waited since an earlier process. */
  add(traceId: string, heard: Heard): void;
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
/** So many traces are written side by side: their events share transactions, and so what those cost. */
const AT_ONCE = 32;

interface Waiting extends Heard {
  /** Nothing is done before, epoch ms. */
  due: number;
}

/** Makes the place where traces wait until they are whole and quiet, or have waited long enough (E15). */
export function createRipening({ clock, settle, isWhole, tell, logger, stopping }: RipeningNeeds): Ripening {
  const waiting = new Map<string, Waiting>();
  const quiet = Math.min(QUIET_MS, settle);
  let cancel: (() => void) | null = null;
  let working: Promise<void> | null = null;
  let isStopped = false;

  function add(traceId: string, { since, newest }: Heard): void {
    waiting.set(traceId, { since, newest, due: Math.min(newest + quiet, since + LONGEST_MS) });
    schedule();
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
    const ripe = [...waiting].filter(([, { due }]) => due <= now).sort(([, a], [, b]) => a.newest - b.newest);
    const underWay = new Set<Promise<void>>();
    for (const [traceId, { since, newest }] of ripe) {
      if (stopping.aborted) break;
      // News that have come meanwhile begin another wait.
      if (waiting.get(traceId)?.newest !== newest) continue;
      waiting.delete(traceId);
      try {
        const isOver = Math.min(newest + settle, since + LONGEST_MS) <= now;
        if (isOver || (await isWhole(traceId))) {
          const { told } = await tell(traceId);
          const end: Promise<void> = told
            .then((isLeft) => goOn(traceId, isLeft))
            .catch((error) => putOff(traceId, { since, newest }, error))
            .finally(() => underWay.delete(end));
          underWay.add(end);
          if (underWay.size >= AT_ONCE) await Promise.race(underWay);
        } else if (!waiting.has(traceId))
          waiting.set(traceId, { since, newest, due: Math.min(newest + settle, since + LONGEST_MS) });
      } catch (error) {
        putOff(traceId, { since, newest }, error);
      }
    }
    await Promise.all(underWay);
  }

  function goOn(traceId: string, isLeft: boolean): void {
    if (isLeft && !waiting.has(traceId)) add(traceId, { since: clock.now(), newest: clock.now() });
  }

  function putOff(traceId: string, heard: Heard, error: unknown): void {
    if (stopping.aborted) return;
    logger.error({ err: error, trace_id: traceId }, "A trace could not be told; it is tried again");
    waiting.set(traceId, { ...heard, due: clock.now() + RETRY_MS });
  }

  return {
    add,
    heard(traceIds) {
      const now = clock.now();
      for (const id of traceIds) add(id, { since: waiting.get(id)?.since ?? now, newest: now });
    },
    count: () => waiting.size,
    async stop() {
      isStopped = true;
      cancel?.();
      await working;
    },
  };
}
