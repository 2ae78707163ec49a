import type { NewEvent, RunHold } from "../../db/repositories.ts";
import type { SessionEvent } from "../session/event.ts";
import type { Json } from "../session/json/json.ts";

/** A run that this server's engine started. */
export interface OwnRun {
  run_id: string;
  conversation_id: string;
  parent_run_id: string | null;
}

/** A change of a user's memory document (M4-M9). */
export interface DocumentChange {
  agentId: string;
  key: string;
  actor: string;
  /** `document` undefined leaves the stored one unchanged; null means no change at all. */
  apply(stored: { value: Json; version: number } | null): { document: Json | undefined; event: NewEvent } | null;
}

/** An approval that no execution has used yet (P22a). */
export interface Grant {
  confirmation_id: string;
}

/**
 * The log as the engine uses it. Its events are marked as the engine's own: events of clients can neither name its runs nor
 * change them (P22a), and a run is recovered only from events appended here.
 */
export interface Journal {
  /**
   * Appends all or nothing; on disk when it resolves (P23). Throws an error with the code `taken_over` and the manager
   * as `by` for a message of an agent, or the start of a turn, in a conversation that a manager has taken over (D11); with the
   * code `not_held` if another replica carries the run on. `hold` is null where there are none.
   */
  append(events: NewEvent[], hold: RunHold | null): Promise<void>;
  /**
   * The same, with a change of a user's memory in the same transaction: `change` gets the document as stored at that time, so
   * that no update is lost (M11). Returns the event `memory.updated`, or null if nothing changed. If `change` throws,
   * everything is rolled back.
   */
  appendWithMemory(events: NewEvent[], change: DocumentChange, hold: RunHold | null): Promise<NewEvent | null>;
  /** The events of a run of this engine and of its delegates' runs, oldest first; empty for other runs. */
  read(runId: string): Promise<SessionEvent[]>;
  /** A run of this engine by its id; null for any other. */
  find(runId: string): Promise<OwnRun | null>;
  /** The top-level runs of this engine that have not ended, oldest first. */
  open(): Promise<OwnRun[]>;
  /** The manager who has taken over a conversation (D11); null if none has. */
  takenOver(conversationId: string): Promise<string | null>;
  /** An unused approval of the same action in this conversation whose run has ended; null if there is none. */
  unusedApproval(conversationId: string, action: { method: string; params: Json }): Promise<Grant | null>;
}
