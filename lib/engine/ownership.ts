import type { NewEvent, RunHold } from "../../db/repositories.ts";
import type { SessionEvent } from "../session/event.ts";
import type { DocumentChange } from "./journal.ts";
import type { Awaited } from "./step/input.ts";

/** A replica's turn to carry on a run with a key. Runs with the same key, a user's, go on one after another. */
export interface Turn {
  readonly key: string;
  /** Whether no other replica can have been given the key meanwhile. Nothing is started without it. */
  isSure(): boolean;
  /** Aborted when another replica may have been given the key. */
  readonly lost: AbortSignal;
}

/** How a turn ends: the run has ended or rests, or another replica is to carry it on at once. */
export type TurnEnd = "done" | "handed_on";

/** A confirmation event that decides. */
export type DecisionEvent = NewEvent & { payload: { confirmation_id: string } };

/**
 * Who carries on which top-level run, where several replicas share a log. A run is held by one of them at a time: `take` raises
 * its number, and the journal refuses what is appended with an older one.
 */
export interface Ownership {
  /** Takes a run over from whoever holds it. `ready`: only if somebody has to carry it on. Null if not, or if there is no such run. */
  take(runId: string, options?: { key?: string; ready?: boolean }): Promise<RunHold | null>;
  /** Nobody has to carry it on. False if others have recorded a decision after the position `known`. Throws `not_held`. */
  rest(hold: RunHold, known: number): Promise<boolean>;
  /** Records a decision for whoever carries the run on; null if it was decided before. `change`: of the user's memory. */
  decide(event: DecisionEvent, runId: string, change: DocumentChange | null): Promise<{ key: string } | null>;
  /** The oldest run with this key that somebody has to carry on; null if there is none. */
  next(key: string): Promise<string | null>;
  /** What the top-level runs with this key wait to be decided. */
  awaited(key: string): Promise<Awaited[]>;
  /** Whether a run in the conversation, other than this one, waits for a decision. */
  awaits(conversationId: string, otherThan: string): Promise<boolean>;
  /** Those of the runs that no replica ever held. */
  unknown(runIds: readonly string[]): Promise<string[]>;
  /** Has a replica carry on a run with this key. Without it, that is noticed some seconds later. */
  wake(key: string): Promise<void>;
  /** Has each turn that this replica gets carried out, until `stop`. A turn that throws is repeated some seconds later. */
  work(carry: (turn: Turn) => Promise<TurnEnd>): void;
  /**
   * Tells of what the engines of all replicas append while `isListening`, in order: from the first time that it is true, of all that
   * was not in the log by then. Returns how to stop it.
   */
  follow(heard: (event: SessionEvent) => void, isListening: () => boolean): () => void;
  /** Takes no more turns; resolves when those that were taken have ended. */
  stop(): Promise<void>;
}
