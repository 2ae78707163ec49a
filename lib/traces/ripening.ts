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
  /** Tells a trace; one at a time. */
  tell(traceId: string): Promise<void>;
  logger: { error(details: object, message: string): void };
  stopping: AbortSignal;
}

/** Traces that wait until they can be told. */
export interface Ripening {
  /** These traces have news. */
  heard(traceIds: readonly string[]): void;
  /** A trace has waited since an earlier process. */
  add(traceId: string, heard: Heard): void;
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
    for (const [traceId, { since, newest }] of ripe) {
      if (stopping.aborted) return;
      // News that have come meanwhile begin another wait.
      if (waiting.get(traceId)?.newest !== newest) continue;
      waiting.delete(traceId);
      try {
        const isOver = Math.min(newest + settle, since + LONGEST_MS) <= now;
        if (isOver || (await isWhole(traceId))) await tell(traceId);
        else if (!waiting.has(traceId))
          waiting.set(traceId, { since, newest, due: Math.min(newest + settle, since + LONGEST_MS) });
      } catch (error) {
        if (stopping.aborted) return;
        logger.error({ err: error, trace_id: traceId }, "A trace could not be told; it is tried again");
        waiting.set(traceId, { since, newest, due: now + RETRY_MS });
      }
    }
  }

  return {
    add,
    heard(traceIds) {
      const now = clock.now();
      for (const id of traceIds) add(id, { since: waiting.get(id)?.since ?? now, newest: now });
    },
    async stop() {
      isStopped = true;
      cancel?.();
      await working;
    },
  };
}
