import { randomUUIDv7 } from "node:crypto";
import type { NewSuiteRun, SuiteRunRow, SuiteStore, SuiteTryRow } from "../../../db/suites.ts";
import type { Judge } from "../../scores/judge.ts";
import type { Json } from "../../session/json/json.ts";

/** A run to carry out. */
export interface SuiteOrder {
  run: Pick<SuiteRunRow, "id" | "suite" | "agent_id" | "model" | "rule" | "tries" | "cases">;
  /** The agent's definition. */
  definition: Json;
  /** The tools of the suite's cases, each a list as JSON. */
  tools: string[];
  /** The judges that may score its tries. */
  judges: readonly Judge[];
}

/** A try that is done, as it is stored, and the tokens of its models and judges; null if they did not tell. */
export interface DoneTry extends SuiteTryRow {
  result: string;
  tokens: number | null;
}

/** What carries runs out, away from the main thread. */
export interface SuiteWorkers {
  /** Carries a run out. Rejects with the signal's reason, or with an error that names what broke. */
  work(
    order: SuiteOrder,
    needs: {
      /** A case's content as JSON; null if it was removed meanwhile. */
      content(id: string): Promise<string | null>;
      onTry(done: DoneTry): Promise<void>;
    },
    signal: AbortSignal,
  ): Promise<void>;
}

/** Runs of suites that this process carries out, a few at a time. */
export interface SuiteRuns {
  /** Queues a run. `full`: too many wait. `changed`: the suite has not all of its cases any more. */
  begin(asked: Omit<NewSuiteRun, "id" | "total">, definition: Json): Promise<SuiteRunRow | "full" | "changed">;
  /** Cancels a run, also one of another process, which hears of it within seconds. False: it has ended. */
  cancel(id: string): Promise<boolean>;
  /** Marks what processes have left that are gone, and goes on looking for it. */
  start(): Promise<void>;
  /** Ends what runs, as interrupted. */
  stop(): Promise<void>;
}

/** Each has a thread, and asks its model up to four times at once. */
const RUNS_AT_ONCE = 2;
/** Runs and those that wait. */
export const MOST_OPEN_RUNS = 20;
/** How often a run says that it is carried out, and others are looked for, ms. */
const SEEN_MS = 3_000;
/** A run of another process counts as interrupted after so long, ms. */
const GONE_MS = 20_000;
/** Runs that use more tokens end, as a bound of their price. */
export const MOST_TOKENS = 20_000_000;

interface Parts {
  store: SuiteStore;
  workers: SuiteWorkers;
  judges: { list(): readonly Judge[] };
  /** The name of this process among those that share the storage. */
  worker: string;
  /** It has the storage for itself: whatever was running before has ended with its process. */
  isAlone: boolean;
  logger: { warn(details: object, message: string): void; error(details: object, message: string): void };
}

class Cancelled extends Error {}
class Stopping extends Error {}
class TooExpensive extends Error {}

/** The runs of this process. */
export function createSuiteRuns({ store, workers, judges, worker, isAlone, logger }: Parts): SuiteRuns {
  const waiting: SuiteOrder[] = [];
  const open = new Map<string, { stop: AbortController; ended: Promise<void> }>();
  /** Runs that are being stored. */
  let beginning = 0;
  let timer: NodeJS.Timeout | null = null;
  let isStopped = false;

  function next(): void {
    while (!isStopped && open.size < RUNS_AT_ONCE) {
      const order = waiting.shift();
      if (!order) return;
      const stop = new AbortController();
      const ended = carry(order, stop).finally(() => {
        open.delete(order.run.id);
        next();
      });
      open.set(order.run.id, { stop, ended });
    }
  }

  async function carry(order: SuiteOrder, stop: AbortController): Promise<void> {
    const { id, suite } = order.run;
    let tokens = 0;
    try {
      if (!(await store.startRun(id, worker))) return;
      await workers.work(
        order,
        {
          content: (caseId) => store.content(suite, caseId),
          async onTry({ tokens: used, ...done }) {
            if (!(await store.addTry(id, worker, done))) stop.abort(new Cancelled());
            tokens += used ?? 0;
            if (tokens > MOST_TOKENS) stop.abort(new TooExpensive());
          },
        },
        stop.signal,
      );
      await store.endRun(id, "finished", null);
    } catch (error) {
      await end(id, error);
    }
  }

  async function end(id: string, error: unknown): Promise<void> {
    // Whoever cancelled it has said so in the storage.
    if (error instanceof Cancelled) return;
    try {
      if (error instanceof Stopping) await store.endRun(id, "interrupted", null);
      else if (error instanceof TooExpensive) await store.endRun(id, "failed", TOO_EXPENSIVE);
      else {
        logger.error({ err: error, run: id }, "A run of a suite failed");
        await store.endRun(id, "failed", error instanceof Error ? error.message : String(error));
      }
    } catch (cause) {
      // It is found as interrupted later.
      logger.warn({ err: cause, run: id }, "The end of a run of a suite could not be stored");
    }
  }

  async function look(): Promise<void> {
    try {
      for (const [id, { stop }] of open) if (!(await store.seeRun(id, worker))) stop.abort(new Cancelled());
      for (const { run } of waiting.slice())
        if (!(await store.seeRun(run.id, worker))) waiting.splice(0, waiting.length, ...without(waiting, run.id));
      if (!isAlone) await store.interruptRuns(worker, GONE_MS);
    } catch (error) {
      logger.warn({ err: error }, "Runs of suites could not be looked after; trying again");
    }
  }

  return {
    async begin(asked, definition) {
      if (beginning + waiting.length + open.size >= MOST_OPEN_RUNS) return "full";
      const run = { ...asked, id: randomUUIDv7(), total: asked.cases.length * asked.tries };
      beginning += 1;
      try {
        const tools = await store.tools(asked.suite);
        if (!(await store.addRun(run, worker))) return "changed";
        waiting.push({ run, definition, tools, judges: judges.list() });
      } finally {
        beginning -= 1;
      }
      next();
      return (await store.run(run.id)) ?? "changed";
    },
    async cancel(id) {
      const isEnded = await store.endRun(id, "cancelled", null);
      open.get(id)?.stop.abort(new Cancelled());
      waiting.splice(0, waiting.length, ...without(waiting, id));
      return isEnded;
    },
    async start() {
      await store.interruptRuns(worker, isAlone ? 0 : GONE_MS);
      timer = setInterval(() => void look(), SEEN_MS).unref();
    },
    async stop() {
      isStopped = true;
      if (timer) clearInterval(timer);
      for (const { run } of waiting.splice(0)) await end(run.id, new Stopping());
      for (const { stop } of open.values()) stop.abort(new Stopping());
      await Promise.all([...open.values()].map(({ ended }) => ended));
    },
  };
}

const TOO_EXPENSIVE = `It used more than ${MOST_TOKENS.toLocaleString("en")} tokens`;

function without(orders: readonly SuiteOrder[], id: string): SuiteOrder[] {
  return orders.filter(({ run }) => run.id !== id);
}
