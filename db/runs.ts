import type { SessionEvent } from "../lib/session/event.ts";
import type { Json, JsonObject } from "../lib/session/json/json.ts";
import type { AgentStateChange } from "./agent-state.ts";
import type { NewEvent } from "./new-event.ts";

/** A run of this server's engine. */
export interface OwnRun {
  run_id: string;
  conversation_id: string;
  parent_run_id: string | null;
}

/** The runs of this server's engine, derived only from events that the engine appended (P22a). */
export interface Runs {
  find(runId: string): Promise<OwnRun | null>;
  /** The events of a run and of its delegates' runs, oldest first; empty if the engine did not start it. */
  events(runId: string): Promise<SessionEvent[]>;
  /** The top-level runs that have not ended, oldest first. */
  open(): Promise<OwnRun[]>;
  /**
   * The confirmation id of the oldest unused approval of this action in the conversation whose run has ended (P22a); null for
   * none. The order of keys in the action does not matter.
   */
  unusedApproval(conversationId: string, action: { method: string; params: Json }): Promise<string | null>;
}

/** Which top-level run is appended to, by whom. */
export interface RunHold {
  run_id: string;
  /** The number of the take-over by which it is held; 0 where it begins, and nobody holds it. */
  fence: number;
  /** Runs with the same key go on one after another. */
  key: string;
}

/** A confirmation that a run waits for. */
export interface AwaitedOfRun {
  run_id: string;
  id: string;
  key: string;
  action: { method: string; params: JsonObject };
}

/** Who carries on the top-level runs of this server's engine, where there are several replicas. */
export interface RunOwners {
  /**
   * Takes a run over from whoever holds it: from then on, they can append nothing. `ready`: only if somebody has to carry it on.
   * Null if that is not so, and for runs that no replica ever held, unless a `key` is given.
   */
  take(runId: string, options?: { key?: string; ready?: boolean }): Promise<RunHold | null>;
  /**
   * Nobody has to carry the run on: it has ended, or waits for a person. False, and nothing changes, if others have recorded a
   * decision after the position `known`, up to which its holder knows them. Throws `NotHeld`.
   */
  rest(hold: RunHold, known: number): Promise<boolean>;
  /**
   * Records a decision of a confirmation of the run, or of one of its delegates' runs; its holder acts on it, or who takes it over
   * next. Null, and nothing is recorded, if it is decided already.
   */
  decide(
    event: NewEvent & { payload: { confirmation_id: string } },
    runId: string,
    change?: AgentStateChange,
  ): Promise<{ key: string } | null>;
  /** The oldest run with this key that somebody has to carry on; null if there is none. */
  next(key: string): Promise<string | null>;
  /** What the top-level runs with this key wait to be decided. */
  awaited(key: string): Promise<AwaitedOfRun[]>;
  /** Whether something is to be decided about a run in the conversation, other than this one. */
  awaits(conversationId: string, otherThan: string): Promise<boolean>;
  /** Those of the runs that no replica ever held, in the given order. */
  unknown(runIds: readonly string[]): Promise<string[]>;
}
