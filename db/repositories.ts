import type { ExportedNote } from "../lib/notes/note.ts";
import type { ExportedScore } from "../lib/scores/score.ts";
import type { Bookmark } from "../lib/session/bookmarks.ts";
import type { SessionEvent } from "../lib/session/event.ts";
import type { Json } from "../lib/session/json/json.ts";
import type { Message } from "../lib/session/session.ts";
import type { AgentStateChange, AgentStateChanged, AgentStateEntry, Expectation } from "./agent-state.ts";
import type { Confirmation, Decision, PartialApproval } from "./confirmations.ts";
import type { Page } from "./conversations.ts";
import type { AppendOrigin, NewEvent } from "./new-event.ts";
import type { RunHold } from "./runs.ts";

export type * from "./agent-state.ts";
export type * from "./annotations.ts";
export type * from "./confirmations.ts";
export type * from "./conversations.ts";
export type * from "./new-event.ts";
export type * from "./runs.ts";
export type * from "./sessions.ts";
export type * from "./spans.ts";
export type * from "./telegram.ts";

/** The progress of an import: how much has been read, and how many events are stored. */
export interface ImportProgress {
  /** It waits for another import to be stored. */
  phase: "reading" | "waiting" | "storing";
  conversations: number;
  events: number;
  stored: number;
}

/** The result of appending an event; a duplicate names the event that exists. */
export interface Appended {
  id: string;
  conversation_id: string | null;
  seq: number;
  position: number;
  duplicate: boolean;
}

export interface Messages {
  list(conversationId: string, page: { cursor?: string; limit: number }): Promise<Page<Message>>;
  /**
   * The messages before a message and the answers after it, oldest first, and the message itself last. Of those before, the
   * newest `limit` within `characters` (UTF-16) in total; of the answers, likewise the first. Users' messages after it are
   * left out. Empty if the message does not exist.
   */
  before(conversationId: string, messageId: string, limit: number, characters?: number): Promise<SaidMessage[]>;
}

/** A message with its full text; a tool's message also has the call whose result it is. */
export type SaidMessage = Omit<Message, "content"> & { content: string; tool_call_id: string | null };

export interface Events {
  /**
   * Events after `after` (seq), oldest first; `type` filters by type. There are fewer than `limit` if they are large, and none
   * only if there are no more.
   */
  list(conversationId: string, page: { after: number; limit: number; type?: string }): Promise<SessionEvent[]>;
  /** The same as `since`, synchronously, if all of it is in memory; otherwise null. */
  recent(position: number, page: { conversationId?: string; limit: number }): SessionEvent[] | null;
  /** Events of one conversation, or of all, after a position, oldest first; fewer than `limit` if they are large. */
  since(position: number, page: { conversationId?: string; limit: number }): Promise<SessionEvent[]>;
  /** The events of all conversations after a position, oldest first, without their payloads: for those who look for some of them. */
  headers(position: number, limit: number): Promise<EventHeader[]>;
  /** The position of a conversation's first event after this one; null if there is none yet. */
  nextOf(conversationId: string, position: number): Promise<number | null>;
  /** The newest position; 0 when the log is empty. */
  head(): Promise<number>;
  /** The seqs, by id, of those of the given events that the conversation has. */
  seqs(conversationId: string, ids: readonly string[]): Promise<Map<string, number>>;
}

/** What tells whose event it is. */
export type EventHeader = Pick<
  SessionEvent,
  "position" | "conversation_id" | "seq" | "type" | "run_id" | "parent_run_id"
>;

/** A conversation that continues from a step of another (E9). */
export interface Fork {
  conversation_id: string;
  /** The number of events of its history. */
  length: number;
  /** The bookmarks of its history. */
  bookmarks: readonly Bookmark[];
  /** The history in order and in pages, with the fork's ids. Events keep their times. */
  history: AsyncIterable<NewEvent[]>;
  /** The events appended after the history, which make the fork visible. Called once, when all of the history is stored. */
  beginning(): NewEvent[];
}

/**
 * The log: the only way to write. A batch is stored together with its projections or not at all, and a result means that it
 * is on disk.
 */
export interface Log {
  /**
   * Appends events that the engine did not create, in order (E2); one without a time gets the time of recording. They are
   * recorded as a program's by default. Throws `Conflict` if an id exists in another conversation, an event names a run of
   * this server's engine (P22a), or a program assigns a conversation to another agent or user.
   */
  append(events: NewEvent[], by?: AppendOrigin): Promise<Appended[]>;
  /**
   * Appends events of this server's engine, which makes their runs its own, with a change of agent state that the last event
   * causes. If `apply` throws, everything is rolled back. Events that all exist already change nothing. Throws `Conflict`, also
   * for a call that starts with an approval that another call has used (P22a), and `TakenOver` for an agent's message, or
   * the start of a turn, in a conversation that a manager has taken over (D11). With a `hold`, throws `NotHeld` if another
   * replica has taken the run over, also if nothing is to be appended.
   */
  appendOwn(
    events: NewEvent[],
    change?: AgentStateChange,
    hold?: RunHold,
  ): Promise<{ appended: Appended[]; change: AgentStateChanged | null }>;
  /**
   * Decides a confirmation of an external agent, unless it is already decided or was replaced by a newer request. Returns its
   * current state, and whether this decision was recorded; null if it does not exist. The engine decides those of its own runs.
   */
  decide(decision: Decision): Promise<{ confirmation: Confirmation; counted: boolean } | null>;
  /**
   * Records that a person approves a confirmation that several people have to approve: `recorded`, or `already` before. `last`:
   * all others have, so nothing is recorded, and the decision can be. `stale`: it is decided, or was replaced by a newer request.
   * Null if it does not exist.
   */
  approveInPart(
    approval: PartialApproval,
  ): Promise<{ confirmation: Confirmation; outcome: "recorded" | "already" | "last" | "stale" } | null>;
  /**
   * Appends `conversation.taken_over` or `conversation.handed_back`, unless that is already the state (D11); returns whether
   * it changed. Null: the conversation does not exist.
   */
  changeTakeover(event: NewEvent & { conversation_id: string }): Promise<{ changed: boolean } | null>;
  /** Creates the conversation with its first event unless it exists; returns whether it did. */
  createConversation(event: NewEvent & { conversation_id: string }, by?: AppendOrigin): Promise<{ created: boolean }>;
  /**
   * Imports whole conversations from a stream; they become visible together at its end. Existing conversations are not changed.
   * Events keep their times, also absent ones. A conversation may come in consecutive parts. Other writes continue meanwhile,
   * and are positioned before the import: a conversation that they create counts as existing. Aborts, errors and the end of the
   * process leave nothing. Imported confirmations and alerts are not pending, unless the events are stored as a program's
   * (`by`). Throws what the source throws, the signal's reason, or `Conflict` as `append` does.
   */
  importConversations(
    conversations: AsyncIterable<{
      conversation_id: string;
      events: NewEvent[];
      bookmarks?: readonly Bookmark[];
      scores?: readonly ExportedScore[];
      notes?: readonly ExportedNote[];
    }>,
    signal: AbortSignal,
    onProgress?: (progress: ImportProgress) => void,
    by?: "import" | "program",
  ): Promise<{ conversation_id: string; created: boolean; events: number }[]>;
  /**
   * Stores a fork, one page of its history at a time, so that other writes do not wait for its end (E9). It becomes visible as
   * a whole or not at all, also if the process ends in between. Events of its history change no agent state, request no
   * confirmation and raise no alert, and `since` does not return them. Throws what the history throws, the signal's reason, or
   * `Conflict` as `append` does.
   */
  fork(fork: Fork, signal: AbortSignal): Promise<Appended[]>;
  /** Writes agent state with an event; returns whether it is new, and the stored value as JSON. Throws `Stale` if the expected version differs. */
  putAgentState(write: {
    agentId: string;
    key: string;
    value: Json;
    expect: Expectation;
    actor: string | null;
    by?: AppendOrigin;
  }): Promise<AgentStateEntry & { created: boolean; text: string }>;
  /** Deletes agent state with an event. Throws `Stale`; returns null if there is none. */
  deleteAgentState(write: {
    agentId: string;
    key: string;
    expect: Expectation;
    actor: string | null;
    by?: AppendOrigin;
  }): Promise<AgentStateEntry | null>;
}
