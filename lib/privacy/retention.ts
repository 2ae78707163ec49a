import { setTimeout as delay } from "node:timers/promises";
import type { AuditStore } from "../../db/access.ts";
import type { Expiring, RetentionRule, RetentionStore } from "../../db/retention.ts";

/** The retention rules and their progress. */
export interface RetentionState {
  rules: readonly RetentionRule[];
  /** The last run since the server was started; null before. */
  ran_at: string | null;
  /** What was removed since the server was started. The audit log has everything. */
  removed: { conversations: number; events: number };
  /** Conversations due for removal. */
  due: number;
  /** The next to be removed. */
  next: Expiring[];
}

export interface Retention {
  state(): Promise<RetentionState>;
  /** Removes what is due until it is stopped; may be started again. */
  start(): void;
  stop(): Promise<void>;
}

interface RetentionParts {
  rules: readonly RetentionRule[];
  retention: RetentionStore;
  audit: Pick<AuditStore, "append">;
  now(): number;
  logger: { error(details: object, message: string): void };
}

/** The first run is a minute after the start, then hourly. */
const FIRST_MS = 60_000;
const EACH_MS = 3_600_000;

/** How many are removed at once. A pause of equal length follows, so that at most half of the writer's time is used. */
const A_PAGE = 100;

/** How many of the next are listed. */
const TOLD = 10;

/** Removes conversations by age, in the background. */
export function createRetention({ rules, retention, audit, now, logger }: RetentionParts): Retention {
  let stop = new AbortController();
  const removed = { conversations: 0, events: 0 };
  let ranAt: string | null = null;
  let working: Promise<void> = Promise.resolve();

  async function work(signal: AbortSignal): Promise<void> {
    for (let wait = FIRST_MS; ; wait = EACH_MS) {
      await delay(wait, undefined, { signal, ref: false });
      try {
        await removeDue(signal);
      } catch (error) {
        if (signal.aborted) return;
        logger.error({ err: error }, "Retention failed; retrying in an hour");
      }
    }
  }

  async function removeDue(signal: AbortSignal): Promise<void> {
    const until = now();
    const round = { conversations: 0, events: 0 };
    try {
      for (let page = await due(until); page.length > 0; page = await due(until)) {
        const began = performance.now();
        const { conversations, events } = await retention.remove(page);
        round.conversations += conversations;
        round.events += events;
        if (conversations === 0) break;
        await delay(performance.now() - began, undefined, { signal, ref: false });
      }
    } finally {
      removed.conversations += round.conversations;
      removed.events += round.events;
      if (round.conversations > 0)
        await audit.append({ action: "retention.removed", target: null, after: round }, null);
    }
    ranAt = new Date(until).toISOString();
  }

  function due(until: number): Promise<Expiring[]> {
    return retention.next(rules, until, A_PAGE);
  }

  return {
    async state() {
      const [count, next] = await Promise.all([
        retention.count(rules, now()),
        retention.next(rules, Number.MAX_SAFE_INTEGER, TOLD),
      ]);
      return { rules, ran_at: ranAt, removed: { ...removed }, due: count, next };
    },
    start() {
      stop = new AbortController();
      if (rules.length > 0) working = work(stop.signal).catch(() => undefined);
    },
    async stop() {
      stop.abort(new Error("The server is stopping"));
      await working;
    },
  };
}
