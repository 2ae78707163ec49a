import type { SchemaChecker } from "../plan/schema/schema-checker.ts";
import type { Isolation } from "./isolation.ts";
import type { Journal } from "./journal.ts";
import type { Memory } from "./memory.ts";
import type { Model } from "./model.ts";
import type { PlanThreads } from "./plan-threads.ts";
import type { Prompts } from "./prompt.ts";
import type { DelegateRegistry } from "./tools/delegate.ts";
import type { ToolRegistry } from "./tools/tools.ts";
import type { Dialog, Director, Drafts } from "./turn.ts";

/** The time, as the engine asks for it: of day, and to be called later. */
export interface Clock {
  /** Epoch ms. */
  now(): number;
  /** Calls `act` once after `ms`; what it returns calls that off. */
  later(ms: number, act: () => void): () => void;
}

/** Where the engine tells what an operator of the server has to know; shaped as Pino is. */
export interface EngineLogger {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Holds agents to what they may use of models. */
export interface Allowance {
  /** What managers' alerts about it tell as their reason. */
  readonly reason: string;
  /**
   * Why an agent may ask no model for now, in a sentence for an operator; null while it may. `alert`: managers are to be told.
   * Null for the agent: runs that have none.
   */
  spent(agentId: string | null): Promise<{ message: string; alert: boolean } | null>;
}

/** All that the engine has of the outside. */
export interface EnginePorts {
  journal: Journal;
  tools: ToolRegistry;
  delegates: DelegateRegistry;
  /** Null: plans are given, and latent tools fail with `no_model` (P2a). */
  model: Model | null;
  /** Who answers users in turns; null where nobody does. The same model, or a scripted one that makes no plans. */
  talker: Model | null;
  checker: SchemaChecker;
  /** Null where nobody minds waiting for a large plan to be read. */
  plan_threads: PlanThreads | null;
  clock: Clock;
  /** What is known of each user; null where agents have no memory. */
  memory: Memory | null;
  prompts: Prompts;
  /** Null where no run answers anybody. */
  dialog: Dialog | null;
  /** Null where no turn is directed. */
  director: Director | null;
  /** Null where nobody watches answers come. */
  drafts: Drafts | null;
  /** Null where no conversation is a fork. */
  isolation: Isolation | null;
  /** Null where agents may use of models what they like. */
  allowance: Allowance | null;
  /** Top-level runs that are at work at once: further turns wait in line, further runs of plans are refused. */
  runs_at_once: number;
  /** From 0 to below 1: calls that failed together do not come back together. */
  random(): number;
  logger: EngineLogger;
}

/** Calls run at once in a run that does not say (P20): HTTP tools of one host are seldom faster with more. */
export const DEFAULT_CONCURRENCY = 16;

/** Iterations of a run that does not say (P19). */
export const DEFAULT_ITERATIONS = 10;
