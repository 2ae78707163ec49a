import { setImmediate as nextIteration } from "node:timers/promises";
import type { EventHeader, Events } from "../../db/repositories.ts";
import type { Clock } from "../engine/ports.ts";
import type { SessionEvent } from "../session/event.ts";

/** Evaluates turns that have ended. */
export interface Evaluating {
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface Needs {
  /** Scores a turn: the events of a top-level run from its start to its end, with its delegates; none if they are too many. */
  evaluate(conversationId: string, turn: SessionEvent[]): Promise<void>;
  /** Whether the turn that an event ends is evaluated at all: the events of others are not read. By default all are. */
  isWanted?: (end: EventHeader) => boolean;
  /** Evaluating is expensive: the position is stored after each turn, not after each page of the log. */
  isCostly?: boolean;
  events: Pick<Events, "headers" | "head" | "list">;
  bus: { subscribe(listener: () => void): () => void };
  clock: Clock;
  /** The position up to which turns were evaluated. */
  place: { read(): Promise<number | null>; write(position: number): Promise<void> };
  logger: { warn(fields: object, message: string): void };
}

/** Events per page of the log. */
const PAGE = 500;
/** How long ended turns are gathered, ms. */
const GATHER_MS = 500;
const REST_MS = 10_000;
/** A longer turn is not evaluated: reading 5,000 events takes 20 ms. */
const LONGEST_TURN = 5_000;
/** How many events before a turn's end are read at first. */
const FIRST_LOOK = 200;

const ENDS = new Set(["run.finished", "run.failed", "run.cancelled"]);

/**
 * Follows the log and scores each turn that ends, after it has ended. The first start begins with new turns. What was evaluated
 * twice, after a crash, has the same scores.
 */
export function followTurns(needs: Needs): Evaluating {
  const { evaluate, isWanted = () => true, isCostly = false, events, bus, clock, place, logger } = needs;
  let position = 0;
  let cancelTimer: (() => void) | null = null;
  let working: Promise<void> | null = null;
  let hasNews = false;
  let isStopped = false;
  let unsubscribe = (): void => undefined;

  function wake(ms: number): void {
    if (isStopped || working || cancelTimer) return;
    cancelTimer = clock.later(ms, () => {
      cancelTimer = null;
      working = work().then((rest) => {
        working = null;
        if (rest > 0 || hasNews) wake(rest || GATHER_MS);
      });
    });
  }

  /** How long to wait before it is tried again, ms; 0 if all went well. */
  async function work(): Promise<number> {
    hasNews = false;
    try {
      while (!isStopped && (await step()));
      return 0;
    } catch (error) {
      logger.warn({ err: error }, "Could not evaluate turns; retrying later");
      return REST_MS;
    }
  }

  async function step(): Promise<boolean> {
    const page = await events.headers(position, PAGE);
    const last = page.at(-1);
    if (!last) return false;
    let hasTurns = false;
    for (const event of page) {
      const { type, run_id, parent_run_id, conversation_id } = event;
      if (run_id === null || parent_run_id !== null || conversation_id === null || !ENDS.has(type)) continue;
      if (isStopped) return false;
      hasTurns = true;
      if (!isWanted(event)) continue;
      await evaluate(conversation_id, await turnUntil(event, conversation_id));
      if (!isCostly) continue;
      position = event.position;
      await place.write(position);
    }
    position = last.position;
    if (hasTurns) await place.write(position);
    await nextIteration();
    return true;
  }

  /** The events of the run that this one ends, with its delegates; none if there are too many. */
  async function turnUntil({ seq, run_id }: EventHeader, conversationId: string): Promise<SessionEvent[]> {
    for (let size = FIRST_LOOK; ; size = Math.min(LONGEST_TURN, size * 5)) {
      const from = Math.max(0, seq - size);
      const read = await readEvents(conversationId, from, seq);
      const start = read.findIndex((event) => event.type === "run.started" && event.run_id === run_id);
      if (start >= 0) return withDelegates(read.slice(start), run_id);
      if (from === 0 || size === LONGEST_TURN) return [];
    }
  }

  async function readEvents(conversationId: string, from: number, to: number): Promise<SessionEvent[]> {
    const read: SessionEvent[] = [];
    for (let after = from; after < to; ) {
      const page = await events.list(conversationId, { after, limit: Math.min(1_000, to - after) });
      const last = page.at(-1);
      if (!last) break;
      read.push(...page);
      after = last.seq;
    }
    return read;
  }

  return {
    async start() {
      const head = await events.head();
      const stored = await place.read();
      // Turns before the first start are not evaluated; a log that is shorter is another one.
      const isNew = stored === null || stored > head;
      position = isNew ? head : stored;
      // Whoever takes over before the first turn is scored begins here, too.
      if (isNew) await place.write(position);
      isStopped = false;
      unsubscribe = bus.subscribe(() => {
        hasNews = true;
        wake(GATHER_MS);
      });
      if (position < head) wake(0);
    },
    async stop() {
      isStopped = true;
      unsubscribe();
      cancelTimer?.();
      cancelTimer = null;
      await working;
    },
  };
}

/** Of these events, those of a run and of its delegates: other turns may run at the same time. */
export function withDelegates(events: readonly SessionEvent[], runId: string | null): SessionEvent[] {
  const runs = new Set([runId]);
  return events.filter(({ run_id, parent_run_id }) => {
    if (parent_run_id !== null && runs.has(parent_run_id)) runs.add(run_id);
    return run_id !== null && runs.has(run_id);
  });
}
