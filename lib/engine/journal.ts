import type { NewEvent } from "../../db/repositories.ts";
import type { SessionEvent } from "../session/event.ts";
import type { Json } from "../session/json/json.ts";

/** One of the engine's own runs. */
export interface OwnRun {
  run_id: string;
  conversation_id: string;
  parent_run_id: string | null;
}

/** A change of a user's document (M4-M9). */
export interface DocumentChange {
  agentId: string;
  key: string;
  actor: string;
  /** Undefined for `document` leaves what is stored; null for all changes nothing. */
  apply(stored: { value: Json; version: number } | null): { document: Json | undefined; event: NewEvent } | null;
}

/** An approval that no execution has used up (P22a). */
export interface Grant {
  confirmation_id: string;
}

/**
 * The log as the engine uses it. What it appends is marked as the engine's own: events from outside can neither name
 * its runs nor drive them (P22a), and a run is found again only by what was appended here.
 */
export interface Journal {
  /**
   * Appends all or nothing; on disk when it resolves (P23). Throws an error with the code `taken_over` and the manager
   * as `by` when it would have an agent speak, or begin a turn, where a manager has taken the conversation over (D11).
   */
  append(events: NewEvent[]): Promise<void>;
  /**
   * The same, with a change of a user's document in the same transaction: `change` is given the document as it is stored
   * then, so that no update is ever lost (M11). Gives the event `memory.updated`, or null when nothing changed; what
   * `change` throws undoes all of it.
   */
  appendWithMemory(events: NewEvent[], change: DocumentChange): Promise<NewEvent | null>;
  /** The events of an own run and of its delegates' runs, oldest first; empty when it is none of the engine's own. */
  read(runId: string): Promise<SessionEvent[]>;
  /** An own run by its id; null for any other. */
  find(runId: string): Promise<OwnRun | null>;
  /** The own top-level runs that have not ended, oldest first. */
  open(): Promise<OwnRun[]>;
  /** The manager who has taken a conversation over (D11); null where none has. */
  takenOver(conversationId: string): Promise<string | null>;
  /** An approval of the same action in this conversation whose run is gone and that nothing has used; null for none. */
  unusedApproval(conversationId: string, action: { method: string; params: Json }): Promise<Grant | null>;
}
