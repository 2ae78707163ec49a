import type { SchemaChecker } from "../plan/schema/schema-checker.ts";
import type { Isolation } from "./isolation.ts";
import type { Journal } from "./journal.ts";
import type { Memory } from "./memory.ts";
import type { Model } from "./model.ts";
import type { Ownership } from "./ownership.ts";
import type { PlanThreads } from "./plan-threads.ts";
import type { Prompts } from "./prompt.ts";
import type { DelegateRegistry } from "./tools/delegate.ts";
import type { ToolRegistry } from "./tools/tools.ts";
import type { Dialog, Director, Drafts } from "./turn.ts";

/** The engine's clock: the time of day, and timers. */
export interface Clock {
  /** Epoch ms. */
  now(): number;
  /** Calls `act` once after `ms`; the returned function cancels it. */
  later(ms: number, act: () => void): () => void;
}

/** The server's log, with Pino's interface. */
export interface EngineLogger {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Enforces the model budget of agents. */
export interface Allowance {
  /** The reason in alerts about it. */
  readonly reason: string;
  /**
   * Why an agent may not call models now, as a sentence for an operator; null if it may. `alert`: managers are alerted.
   * The agent is null for runs without one.
   */
  spent(agentId: string | null): Promise<{ message: string; alert: boolean } | null>;
}

/** Everything the engine uses from outside. */
export interface EnginePorts {
  journal: Journal;
  /** Who carries on which run, where there are several replicas; null: this process carries on all. */
  ownership: Ownership | null;
  tools: ToolRegistry;
  delegates: DelegateRegistry;
  /** The planner. Null: plans have to be given, and latent tools fail with `no_model` (P2a). */
  model: Model | null;
  /** The model that answers users in turns; null if none does. The planner's model, or a scripted one that makes no plans. */
  talker: Model | null;
  checker: SchemaChecker;
  /** Threads that validate large plans; null validates them on the main thread. */
  plan_threads: PlanThreads | null;
  clock: Clock;
  /** The memory of each user; null if agents have none. */
  memory: Memory | null;
  prompts: Prompts;
  /** Conversations that runs answer in; null if none does. */
  dialog: Dialog | null;
  /** Directs turns of several agents; null if there are none. */
  director: Director | null;
  /** Receives partial answers; null if nobody streams them. */
  drafts: Drafts | null;
  /** Isolates the runs of forks; null if there are no forks. */
  isolation: Isolation | null;
  /** The model budgets; null if there are none. */
  allowance: Allowance | null;
  /** The limit of concurrent top-level runs: further turns are queued, further runs of plans are refused. */
  runs_at_once: number;
  /** Jitter of retries, from 0 to below 1: calls that failed together are not retried together. */
  random(): number;
  logger: EngineLogger;
}

/** The default of concurrent calls in a run (P20): HTTP tools of one host are rarely faster with more. */
export const DEFAULT_CONCURRENCY = 16;

/** The default limit of iterations (P19). */
export const DEFAULT_ITERATIONS = 10;
