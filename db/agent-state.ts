import type { Json } from "../lib/session/json/json.ts";
import type { NewEvent, Page } from "./repositories.ts";

export interface AgentStateEntry {
  agent_id: string;
  key: string;
  version: number;
  updated_at: string;
}

/** One version of an entry, as the log tells it (C8). */
export interface AgentStateVersion {
  version: number;
  at: string;
  actor: string | null;
  /** The event that caused it. */
  caused_by: string | null;
  /** The conversation in which it was written, or that of its cause. */
  conversation_id: string | null;
  /** That of the event which wrote it. */
  position: number;
  /** It is the entry's deletion. */
  deleted: boolean;
}

/** `agent_state` (E3). Writing goes through the log: see `Log.putAgentState`. */
export interface AgentStates {
  get(agentId: string, key: string): Promise<(AgentStateEntry & { value: Json }) | null>;
  /** The value as JSON text, for who only hands it on: a large one takes long to be read and written again. */
  getText(agentId: string, key: string): Promise<{ version: number; text: string } | null>;
  /** The versions that an entry has had, newest first (C8); what was written over an older one is not there. Throws `BadCursor`. */
  history(agentId: string, key: string, page: { cursor?: string; limit: number }): Promise<Page<AgentStateVersion>>;
  /** One of them with its value, undefined where it is a deletion; null when there is none. */
  version(
    agentId: string,
    key: string,
    version: number,
  ): Promise<(AgentStateVersion & { value: Json | undefined }) | null>;
  /** By agent, then by key; `agentPrefix` and `prefix` are what the ids of agents and the keys begin with. Throws `BadCursor`. */
  list(query: {
    agentId?: string;
    agentPrefix?: string;
    key?: string;
    prefix?: string;
    cursor?: string;
    limit: number;
  }): Promise<Page<AgentStateEntry>>;
}

/** What a writer of agent state believes is there. */
export type Expectation =
  | { kind: "any" }
  | { kind: "absent" }
  | { kind: "present" }
  | { kind: "version"; versions: number[] };

/** What a step of the engine does to one entry of agent state, decided by the entry as it stands in that moment (E5). */
export interface AgentStateChange {
  agentId: string;
  key: string;
  actor: string;
  /**
   * Called within the transaction, after the step's own events: pure and quick. Null changes nothing. Its `events` are
   * appended as the engine's own; a `value` is written as the entry's next version, undefined leaves the entry as it is.
   */
  apply(current: { value: Json; version: number } | null): { events: NewEvent[]; value: Json | undefined } | null;
}

/** What became of a change: the events it appended, and the entry's version after it, 0 for none. */
export interface AgentStateChanged {
  events: NewEvent[];
  version: number;
}
