import { setTimeout as delay } from "node:timers/promises";
import type { AuditStore } from "../../db/access.ts";
import type { Expiring, RetentionRule, RetentionStore } from "../../db/retention.ts";

/** Which conversations are removed by their age, and how far that is. */
export interface RetentionState {
  rules: readonly RetentionRule[];
  /** When it looked last, since the server was started; null before. */
  ran_at: string | null;
  /** What it has removed since the server was started. The audit has all of it. */
  removed: { conversations: number; events: number };
  /** Conversations due for removal. */
  due: number;
  /** The next that will be. */
  next: Expiring[];
}

export interface Retention {
  state(): Promise<RetentionState>;
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

/** It begins a minute after the start, which has enough to do, and then looks each hour. */
const FIRST_MS = 60_000;
const EACH_MS = 3_600_000;

/** So many are removed at once. Then it rests for as long as that took, so that it takes half of the writer's time at most. */
const A_PAGE = 100;

/** So many of the next are told. */
const TOLD = 10;

/** Removes conversations that are older than the rules say, in the background. */
export function createRetention({ rules, retention, audit, now, logger }: RetentionParts): Retention {
  const stop = new AbortController();
  const { signal } = stop;
  const removed = { conversations: 0, events: 0 };
  let ranAt: string | null = null;
  let working: Promise<void> = Promise.resolve();

  async function work(): Promise<void> {
    for (let wait = FIRST_MS; ; wait = EACH_MS) {
      await delay(wait, undefined, { signal, ref: false });
      try {
        await removeDue();
      } catch (error) {
        if (signal.aborted) return;
        logger.error({ err: error }, "Retention failed; retrying in an hour");
      }
    }
  }

  async function removeDue(): Promise<void> {
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
      if (rules.length > 0) working = work().catch(() => undefined);
    },
    async stop() {
      stop.abort(new Error("The server is stopping"));
      await working;
    },
  };
}
