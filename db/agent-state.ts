import type { Json } from "../lib/session/json/json.ts";
import type { NewEvent, Page } from "./repositories.ts";

export interface AgentStateEntry {
  agent_id: string;
  key: string;
  version: number;
  updated_at: string;
}

/** A version of an entry (C8). */
export interface AgentStateVersion {
  version: number;
  at: string;
  actor: string | null;
  /** The event that caused it. */
  caused_by: string | null;
  /** The conversation in which it was written, or in which its cause was recorded. */
  conversation_id: string | null;
  /** The position of the event that wrote it. */
  position: number;
  /** The entry was deleted. */
  deleted: boolean;
}

/** Agent state (E3). It is written through the log: `Log.putAgentState`. */
export interface AgentStates {
  get(agentId: string, key: string): Promise<(AgentStateEntry & { value: Json }) | null>;
  /** The value as JSON text, for callers that only pass it on: parsing a large one takes long. */
  getText(agentId: string, key: string): Promise<{ version: number; text: string } | null>;
  /**
   * The versions of an entry, newest first (C8); versions that were written over an older version are left out. Throws
   * `BadCursor`.
   */
  history(agentId: string, key: string, page: { cursor?: string; limit: number }): Promise<Page<AgentStateVersion>>;
  /** One version with its value; undefined for a deletion. Null if there is no such version. */
  version(
    agentId: string,
    key: string,
    version: number,
  ): Promise<(AgentStateVersion & { value: Json | undefined }) | null>;
  /** By agent, then by key. `agentPrefix` and `prefix` filter agent ids and keys. Throws `BadCursor`. */
  list(query: {
    agentId?: string;
    agentPrefix?: string;
    key?: string;
    prefix?: string;
    cursor?: string;
    limit: number;
  }): Promise<Page<AgentStateEntry>>;
}

/** The version that a writer expects (optimistic concurrency). */
export type Expectation =
  | { kind: "any" }
  | { kind: "absent" }
  | { kind: "present" }
  | { kind: "version"; versions: number[] };

/** A change of one entry by a step of the engine, computed from the entry's current value (E5). */
export interface AgentStateChange {
  agentId: string;
  key: string;
  actor: string;
  /**
   * Called in the transaction, after the step's events; must be pure and fast. Null changes nothing. `events` are
   * appended as the engine's own; `value` becomes the entry's next version, undefined leaves it unchanged.
   */
  apply(current: { value: Json; version: number } | null): { events: NewEvent[]; value: Json | undefined } | null;
}

/** The result of a change: the appended events, and the entry's version, 0 if there is none. */
export interface AgentStateChanged {
  events: NewEvent[];
  version: number;
}
