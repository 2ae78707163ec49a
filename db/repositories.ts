import type { SessionEvent } from "../lib/session/event.ts";
import type { Json } from "../lib/session/json.ts";
import type { ConversationStatus, Message, Summary } from "../lib/session/session.ts";

/** An event on its way into the log: validated, not yet numbered. */
export interface NewEvent {
  id: string;
  conversation_id: string | null;
  type: string;
  actor: string | null;
  agent_id: string | null;
  run_id: string | null;
  parent_run_id: string | null;
  caused_by: string | null;
  payload: Json;
  occurred_at: string | null;
  /** Only of an import, which keeps the time the first server recorded. */
  recorded_at?: string;
}

/** What became of one appended event; a duplicate names the event that was there first. */
export interface Appended {
  id: string;
  conversation_id: string | null;
  seq: number;
  position: number;
  duplicate: boolean;
}

/** A page of a keyset-paged list; the cursors are opaque and null at an end. */
export interface Page<T> {
  items: T[];
  next: string | null;
  prev: string | null;
}

/** A row of the conversation list. */
export interface Conversation extends Omit<Summary, "open_runs" | "awaiting" | "escalated" | "newest_run" | "failed"> {
  id: string;
  status: ConversationStatus;
  created_at: string;
  updated_at: string;
  /** Where the search hit: a message, as text in turns of unmarked and marked. Only on searches. */
  hit?: { seq: number; role: string; parts: { text: string; marked: boolean }[] };
}

export interface ConversationQuery {
  q?: string;
  channel?: string;
  status?: ConversationStatus;
  stage?: string;
  agent_id?: string;
  /** Last activity at or after `from` and before `to`, ISO 8601. */
  from?: string;
  to?: string;
  cursor?: string;
  limit: number;
}

/** The values that filters can take, and how many conversations have each status. */
export interface Facets {
  total: number;
  statuses: Record<ConversationStatus, number>;
  channels: string[];
  stages: string[];
  agents: string[];
}

export interface Conversations {
  get(id: string): Promise<Conversation | null>;
  list(query: ConversationQuery): Promise<Page<Conversation>>;
  facets(): Promise<Facets>;
}

export interface Messages {
  list(conversationId: string, page: { cursor?: string; limit: number }): Promise<Page<Message>>;
}

export interface Events {
  /** Events after `after` (seq), oldest first; `type` narrows to one type. */
  list(conversationId: string, page: { after: number; limit: number; type?: string }): Promise<SessionEvent[]>;
  /** Events of one conversation, or of all, after a position: what a stream sends. */
  since(position: number, page: { conversationId?: string; limit: number }): Promise<SessionEvent[]>;
  /** The newest position; 0 when the log is empty. */
  head(): Promise<number>;
}

export interface AgentStateEntry {
  agent_id: string;
  key: string;
  version: number;
  updated_at: string;
}

/** `agent_state` (E3). Writing goes through the log: see `Log.putAgentState`. */
export interface AgentStates {
  get(agentId: string, key: string): Promise<(AgentStateEntry & { value: Json }) | null>;
  list(query: { agentId?: string; prefix?: string; cursor?: string; limit: number }): Promise<Page<AgentStateEntry>>;
}

/** What a writer of agent state believes is there. */
export type Expectation =
  | { kind: "any" }
  | { kind: "absent" }
  | { kind: "present" }
  | { kind: "version"; versions: number[] };

/**
 * The log: the one way to write. What is handed in together is stored together or not at all, with its
 * projections, and an answer means it is on disk.
 */
export interface Log {
  /**
   * Appends events in order (E2); one that tells no time happens as it is recorded. Throws `Conflict` when an id exists
   * in another conversation.
   */
  append(events: NewEvent[]): Promise<Appended[]>;
  /** Creates the conversation by its first event unless it exists; tells which. */
  createConversation(event: NewEvent & { conversation_id: string }): Promise<{ created: boolean }>;
  /**
   * Appends whole conversations read from a stream, visible at once at its end; one that exists stays as it is. Events
   * keep their times, absent ones too. A conversation may come in parts, one right after another. Aborts and errors
   * leave nothing. Throws what the source throws, the signal's reason, or `Conflict`.
   */
  importConversations(
    conversations: AsyncIterable<{ conversation_id: string; events: NewEvent[] }>,
    signal: AbortSignal,
  ): Promise<{ conversation_id: string; created: boolean; events: number }[]>;
  /** Writes agent state by an event; tells whether there was none before. Throws `Stale` when the expectation does not hold. */
  putAgentState(write: {
    agentId: string;
    key: string;
    value: Json;
    expect: Expectation;
    actor: string | null;
  }): Promise<AgentStateEntry & { created: boolean }>;
  /** Deletes agent state by an event. Throws `Stale`; null when there was none. */
  deleteAgentState(write: {
    agentId: string;
    key: string;
    expect: Expectation;
    actor: string | null;
  }): Promise<AgentStateEntry | null>;
}

/** Slow reads, done away from the thread that writes. Each answers JSON text, ready to be sent. */
export interface Sessions {
  /** The view after event `at` (default: the last); throws `OutOfRange` naming the last. Null: no such conversation. */
  view(conversationId: string, at: number | null): Promise<string | null>;
  /** Slim rows in columns for the whole session after `after`. Null: no such conversation. */
  timeline(conversationId: string, after: number): Promise<string | null>;
}
