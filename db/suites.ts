import type { Json } from "../lib/session/json/json.ts";

/** A suite in the list. */
export interface SuiteRow {
  name: string;
  cases: number;
  created_at: string;
  created_by: string;
  /** The newest run; null if it has never been run. */
  run: SuiteRunRow | null;
  /** Of its cases that have been tried, and of those all of whose tries passed. */
  tried: number;
  passed: number;
}

/** A case in a list, without its content. */
export interface SuiteCaseRow {
  id: string;
  title: string;
  tags: string[];
  conversation_id: string;
  /** Recorded calls. */
  calls: number;
  created_at: string;
  created_by: string;
}

/**
 * A case to save: its content is a `SuiteCase` as JSON, its tools are definitions of a suite's tools. Its users are all who an
 * erasure of whom covers its conversation: the case can outlive that.
 */
export interface NewSuiteCase extends Pick<SuiteCaseRow, "id" | "title" | "tags" | "conversation_id" | "calls"> {
  content: string;
  tools: Json;
  users: string[];
}

/** `queued`: it waits for another run. `interrupted`: the process that carried it out has ended. */
export type SuiteRunStatus = "queued" | "running" | "finished" | "cancelled" | "failed" | "interrupted";

/** A run of a suite. */
export interface SuiteRunRow {
  id: string;
  suite: string;
  agent_id: string;
  /** The digest of the agent's definition. */
  version: string;
  model: string;
  /** What answers calls that were not recorded. */
  rule: "nearest" | "stub" | "stop";
  /** Of each case. */
  tries: number;
  /** The ids of its cases. */
  cases: string[];
  status: SuiteRunStatus;
  /** Why it failed. */
  error: string | null;
  /** Tries that are done, of so many. */
  done: number;
  total: number;
  started_at: string;
  started_by: string;
  finished_at: string | null;
}

export type NewSuiteRun = Omit<SuiteRunRow, "status" | "error" | "done" | "started_at" | "finished_at">;

/** What came of a try. */
export interface SuiteTryRow {
  case_id: string;
  /** From 1. */
  number: number;
  outcome: "passed" | "failed" | "stopped";
  /** A `TryBrief`, as JSON. */
  brief: string;
}

/** A definition of an agent, by the digest of its content. */
export interface AgentVersionRow {
  agent_id: string;
  version: string;
  definition: Json;
  created_at: string;
  created_by: string;
}

/** An agent was given a version. */
export interface PromotionRow {
  id: string;
  agent_id: string;
  version: string;
  /** The version that it had before. */
  before: string;
  /** The run that spoke for it. */
  run_id: string | null;
  promoted_at: string;
  promoted_by: string;
}

/** So many runs of a suite are kept; the oldest are forgotten with their results. */
export const KEPT_SUITE_RUNS = 50;

/** Suites, their runs, and the versions of agents that they were run with. Nothing of it is in the event log. */
export interface SuiteStore {
  /** By name. */
  list(): Promise<SuiteRow[]>;
  has(name: string): Promise<boolean>;
  /** `full`: there are `most` suites. */
  create(name: string, by: string, most: number): Promise<"created" | "exists" | "full">;
  /** Removes a suite with its cases and runs. False if there is none. */
  remove(name: string): Promise<boolean>;

  /** In the order in which they were saved. */
  cases(suite: string): Promise<SuiteCaseRow[]>;
  /** A case's content as JSON: it may have millions of characters. Null: there is none. */
  content(suite: string, id: string): Promise<string | null>;
  /** The tools of all cases, each as JSON. */
  tools(suite: string): Promise<string[]>;
  /** To be asked before a conversation is read of which a case is added. */
  epoch(): Promise<number>;
  /**
   * Adds a case of a conversation that was read since `epoch`; its suite is created if it is missing. `full`: the suite has as many
   * cases as it may have. `too_many_suites`: it is missing, and there are as many suites as there may be. `erased`: the conversation
   * is being erased, or was erased since it was read.
   */
  addCase(
    suite: string,
    saved: NewSuiteCase,
    by: string,
    { epoch, suites, cases }: { epoch: number; suites: number; cases: number },
  ): Promise<"added" | "exists" | "full" | "too_many_suites" | "erased">;
  /** Replaces a case's content if it is `before`, as `content` returned it. False if it is another, or there is none. */
  changeCase(
    suite: string,
    changed: Omit<NewSuiteCase, "tools" | "conversation_id" | "users">,
    before: string,
  ): Promise<boolean>;
  /** Whether there is a case of a conversation, which may be removed. */
  hasCaseOf(conversationId: string): Promise<boolean>;
  /** Removes a case, and what came of it in all runs. False if there is none. */
  removeCase(suite: string, id: string): Promise<boolean>;

  /** Newest first. */
  runs(suite: string, limit: number): Promise<SuiteRunRow[]>;
  run(id: string): Promise<SuiteRunRow | null>;
  /** Queues a run for a worker, and forgets the suite's oldest. False if the suite has not all of its cases any more. */
  addRun(run: NewSuiteRun, worker: string): Promise<boolean>;
  /** The worker begins a queued run. False if it is not the worker's to begin any more. */
  startRun(id: string, worker: string): Promise<boolean>;
  /** The worker still carries a run out. False if it shall stop: the run was cancelled or taken for interrupted. */
  seeRun(id: string, worker: string): Promise<boolean>;
  /** Stores what came of a try; false as for `seeRun`. */
  addTry(id: string, worker: string, tried: SuiteTryRow & { result: string }): Promise<boolean>;
  /** Ends a run that is open. False if it is not. */
  endRun(id: string, status: Exclude<SuiteRunStatus, "queued" | "running">, error: string | null): Promise<boolean>;
  /** Marks open runs of other workers as interrupted that were not seen for so long. Returns how many. */
  interruptRuns(worker: string, unseenMs: number): Promise<number>;
  /** By case and number. */
  tries(runId: string): Promise<SuiteTryRow[]>;
  /** The whole result of a try as JSON: it may have millions of characters. Null: there is none. */
  result(runId: string, caseId: string, number: number): Promise<string | null>;

  /** Keeps a version. One that is known counts as new, so that it is not forgotten while it is used. */
  addVersion(version: Omit<AgentVersionRow, "created_at">): Promise<void>;
  /** Forgets versions that were last kept so long ago, that no run has, and that no agent was given. */
  forgetVersions(unusedMs: number): Promise<void>;
  version(agentId: string, version: string): Promise<AgentVersionRow | null>;
  addPromotion(promotion: Omit<PromotionRow, "promoted_at">): Promise<void>;
  /** Newest first. */
  promotions(agentId: string, limit: number): Promise<PromotionRow[]>;
}
