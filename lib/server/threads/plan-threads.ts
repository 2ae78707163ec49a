import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import { InvalidInput, InvalidPlan, PlanTooLong, TooManyPlans } from "../../engine/errors.ts";
import type { PlanAnswers } from "../../engine/plan-reading.ts";
import type { PlanThreads, SentPlan } from "../../engine/plan-threads.ts";
import { yieldToEventLoop } from "../../event-loop/yielding.ts";
import type { PlanProblem } from "../../plan/problem.ts";
import type { JsonObject } from "../../session/json/json.ts";

/** A request to a thread; it replies to all but `calls`, which belong to the next request. */
export type PlanOrder =
  | { act: "calls"; calls: readonly JsonObject[] }
  | { act: "read"; question: keyof PlanAnswers; plan: SentPlan }
  | { act: "simulate"; plan: SentPlan; branches: Record<string, number> }
  | { act: "next" };

export type PlanReply<Result> =
  | { is: "done"; result: Result }
  | { is: "invalid_plan"; problems: PlanProblem[] }
  | { is: "invalid_input"; message: string; faults: { path: string; message: string }[] }
  | { is: "broken"; error: unknown };

/** Simulations occupy their thread while they are read, and leave one for validation. */
const THREADS = 3;
const THREADS_FOR_SIMULATIONS = 2;
/** The maximum number of queued plans. */
const MOST_WAITING = 20;
/** A chain of 50,000 calls takes a tenth of it on an idle machine, and half on a busy one. */
const DEADLINE_MS = 20_000;
/** How many calls are copied to a thread at once, about 5 ms. */
const CALLS_AT_ONCE = 1_000;
/** A simulation that is not read for this long releases its thread. */
const PATIENCE_MS = 30_000;
/** An idle thread ends after this time, to free its memory. */
const IDLE_MS = 30_000;
/** Chains of 50,000 calls take half of it, MB. */
const MEMORY = { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 32 };

interface Thread {
  worker: Worker;
  use: "check" | "simulation" | null;
  /** Fails its current request. */
  fail: ((error: Error) => void) | null;
  idle: NodeJS.Timeout;
}

interface Waiting {
  use: "check" | "simulation";
  resolve(thread: Thread): void;
  reject(error: Error): void;
}

/**
 * Threads for large plans, one plan each at a time. They start on demand; one whose plan takes too much time or memory
 * is terminated, and the plan refused.
 */
export function createPlanThreads(
  logger: Logger,
  { deadline_ms = DEADLINE_MS }: { deadline_ms?: number } = {},
): PlanThreads & { close(): Promise<void> } {
  const threads = new Set<Thread>();
  const queue: Waiting[] = [];
  let isClosed = false;

  function started(): Thread {
    const worker = new Worker(new URL("./plan-thread.ts", import.meta.url), { resourceLimits: MEMORY });
    const thread: Thread = { worker, use: null, fail: null, idle: setTimeout(() => endIdle(thread), IDLE_MS) };
    thread.idle.unref();
    threads.add(thread);
    worker.on("error", (error) => lose(thread, isOutOfMemory(error) ? tooLong() : lost(error)));
    worker.on("exit", (code) => lose(thread, lost(new Error(`The thread ended with code ${code}`))));
    return thread;
  }

  function tooLong(): PlanTooLong {
    return new PlanTooLong(Math.ceil(deadline_ms / 1_000));
  }

  function lose(thread: Thread, reason: Error): void {
    if (!threads.delete(thread)) return;
    clearTimeout(thread.idle);
    if (!isClosed && !(reason instanceof PlanTooLong))
      logger.error({ err: reason }, "A plan thread crashed; the next plan starts another");
    thread.fail?.(reason);
    void thread.worker.terminate();
    dispatch();
  }

  function endIdle(thread: Thread): void {
    if (thread.use !== null || !threads.delete(thread)) return;
    void thread.worker.terminate();
  }

  function dispatch(): void {
    for (const next of [...queue]) {
      const simulations = [...threads].filter(({ use }) => use === "simulation").length;
      if (next.use === "simulation" && simulations >= THREADS_FOR_SIMULATIONS) continue;
      const free = [...threads].find(({ use }) => use === null) ?? (threads.size < THREADS ? started() : null);
      if (free === null) return;
      queue.splice(queue.indexOf(next), 1);
      free.use = next.use;
      next.resolve(free);
    }
  }

  function taken(use: Waiting["use"]): Promise<Thread> {
    if (isClosed) throw new Error("The plan threads were closed");
    if (queue.length >= MOST_WAITING) throw new TooManyPlans();
    return new Promise((resolve, reject) => {
      queue.push({ use, resolve, reject });
      dispatch();
    });
  }

  function release(thread: Thread): void {
    thread.use = null;
    thread.idle.refresh();
    dispatch();
  }

  /** Throws the error of the plan, and `PlanTooLong`. */
  async function ask<Result>(thread: Thread, order: PlanOrder): Promise<Result> {
    if (!threads.has(thread)) throw lost(null);
    const late = setTimeout(() => lose(thread, tooLong()), deadline_ms);
    try {
      const reply = await new Promise<PlanReply<Result>>((resolve, reject) => {
        thread.fail = reject;
        thread.worker.once("message", resolve);
        thread.worker.postMessage(order);
      });
      return resultOf(reply);
    } finally {
      clearTimeout(late);
      thread.fail = null;
    }
  }

  /** Returns the rest to send with the request: copying a whole plan would block for too long. */
  async function sendCalls({ worker }: Thread, { plan, ...rest }: SentPlan): Promise<SentPlan> {
    let sent = 0;
    for (; plan.length - sent > CALLS_AT_ONCE; sent += CALLS_AT_ONCE) {
      worker.postMessage({ act: "calls", calls: plan.slice(sent, sent + CALLS_AT_ONCE) } satisfies PlanOrder);
      await yieldToEventLoop();
    }
    return { ...rest, plan: plan.slice(sent) };
  }

  return {
    async read(question, plan) {
      const thread = await taken("check");
      try {
        return await ask(thread, { act: "read", question, plan: await sendCalls(thread, plan) });
      } finally {
        release(thread);
      }
    },
    async *simulate(plan, branches) {
      const thread = await taken("simulation");
      let isTheirs = true;
      const letGo = () => {
        if (isTheirs) release(thread);
        isTheirs = false;
      };
      try {
        let chunk = await ask<string | null>(thread, {
          act: "simulate",
          plan: await sendCalls(thread, plan),
          branches,
        });
        while (chunk !== null) {
          const patience = setTimeout(letGo, PATIENCE_MS);
          try {
            yield chunk;
          } finally {
            clearTimeout(patience);
          }
          if (!isTheirs) throw new Error("The simulation was not read for too long and was closed");
          chunk = await ask(thread, { act: "next" });
        }
      } finally {
        letGo();
      }
    },
    async close() {
      isClosed = true;
      for (const { reject } of queue.splice(0)) reject(new Error("The plan threads were closed"));
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}

function resultOf<Result>(reply: PlanReply<Result>): Result {
  switch (reply.is) {
    case "done":
      return reply.result;
    case "invalid_plan":
      throw new InvalidPlan(reply.problems);
    case "invalid_input":
      throw new InvalidInput(reply.message, reply.faults);
    case "broken":
      throw new Error("Could not read a plan", { cause: reply.error });
    default:
      return reply satisfies never;
  }
}

function lost(cause: unknown): Error {
  return new Error("The plan thread crashed", { cause });
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}
