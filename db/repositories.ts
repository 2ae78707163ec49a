import type { Bookmark } from "../lib/session/bookmarks.ts";
import type { ForkMode } from "../lib/session/catalogue.ts";
import type { Recorder, SessionEvent } from "../lib/session/event.ts";
import type { FindWhere, Found } from "../lib/session/find/find-in-event.ts";
import type { InferredEdge } from "../lib/session/find/inferred-edges.ts";
import type { SearchHit } from "../lib/session/find/search-hit.ts";
import type { StateHistoryEntry } from "../lib/session/find/state-history.ts";
import type { Json } from "../lib/session/json/json.ts";
import type {
  ConversationStatus,
  DecidedStatus,
  Message,
  Confirmation as SessionConfirmation,
  ShownConversationStatus,
  Summary,
  TakenOver,
} from "../lib/session/session.ts";
import type { StepUnit } from "../lib/session/timeline/timeline-steps.ts";
import type { AgentStateChange, AgentStateChanged, AgentStateEntry, Expectation } from "./agent-state.ts";

export type * from "./agent-state.ts";
export type * from "./spans.ts";
export type * from "./telegram.ts";

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

/** Who may put an event into the log beside the engine, and beside what is imported. */
export type Teller = Exclude<Recorder, "engine" | "import">;

/** How far an import is: what has been read so far, and how many of those events are stored. */
export interface ImportProgress {
  /** It waits while another one is stored. */
  phase: "reading" | "waiting" | "storing";
  conversations: number;
  events: number;
  stored: number;
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
export interface Conversation
  extends Omit<
    Summary,
    | "open_runs"
    | "awaiting"
    | "unanswered"
    | "escalated"
    | "newest_run"
    | "simulated"
    | "ended"
    | "asked"
    | "untouched"
    | "failures"
  > {
  id: string;
  status: ConversationStatus;
  /** What the console says of it. */
  shown_status: ShownConversationStatus;
  error_count: number;
  /** The newest decision to which its agent has not answered yet. */
  unanswered: DecidedStatus | null;
  created_at: string;
  updated_at: string;
  /** How many forks it has (E9). */
  fork_count: number;
  /** Of a fork: whether its calls are carried out, by what was chosen on this server; null where it is none. */
  fork_mode: ForkMode | null;
  /** Where the search hit. Only on searches, and not where the title or the id has the words alone. */
  hit?: SearchHit;
}

/** A page of the list. */
export interface ConversationPage extends Page<Conversation> {
  /** Events that are not indexed for search yet, up to 10,000. Only on searches, while there are any. */
  behind?: number;
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
  /** Forks of this conversation alone (E9). */
  forked_from?: string;
  cursor?: string;
  limit: number;
}

/** The values that filters can take, how many conversations have each status, and how many confirmations and alerts wait. */
export interface Facets {
  total: number;
  awaiting: number;
  /** Alerts that are open. */
  alerts: number;
  statuses: Record<ConversationStatus, number>;
  /** Those that most conversations have, a bounded number of each. */
  channels: string[];
  stages: string[];
  agents: string[];
  /** How many others there are. */
  more: { channels: number; stages: number; agents: number };
}

export interface Conversations {
  get(id: string): Promise<Conversation | null>;
  /** What its row is made of, as of its newest event. */
  summary(id: string): Promise<Summary | null>;
  list(query: ConversationQuery): Promise<ConversationPage>;
  facets(): Promise<Facets>;
}

export interface Messages {
  list(conversationId: string, page: { cursor?: string; limit: number }): Promise<Page<Message>>;
  /**
   * What was said before a message, with the answers that came after it, oldest first, and the message itself last. Of
   * what came before the newest `limit`, as far as they have `characters` (UTF-16) in all, of the answers likewise the
   * first; what users said after it is left out. Empty when there is no such message.
   */
  before(conversationId: string, messageId: string, limit: number, characters?: number): Promise<SaidMessage[]>;
}

/** A message with its whole text, and of a tool's the call whose result it is. */
export type SaidMessage = Omit<Message, "content"> & { content: string; tool_call_id: string | null };

export interface Events {
  /**
   * Events after `after` (seq), oldest first; `type` narrows to one type. Where they are large there are fewer than `limit`, and
   * none only where there are no more.
   */
  list(conversationId: string, page: { after: number; limit: number; type?: string }): Promise<SessionEvent[]>;
  /** The same as `since`, at once, where all of it is in memory; otherwise null. */
  recent(position: number, page: { conversationId?: string; limit: number }): SessionEvent[] | null;
  /** Events of one conversation, or of all, after a position, oldest first; fewer than `limit` where they are large. */
  since(position: number, page: { conversationId?: string; limit: number }): Promise<SessionEvent[]>;
  /** The newest position; 0 when the log is empty. */
  head(): Promise<number>;
  /** The seqs of those of these events that the conversation has, by id. */
  seqs(conversationId: string, ids: readonly string[]): Promise<Map<string, number>>;
}

/** A conversation that goes on from a step of another (E9). */
export interface Fork {
  conversation_id: string;
  /** How many events it brings along. */
  length: number;
  /** Of the steps that it brings along. */
  bookmarks: readonly Bookmark[];
  /** These, in order and in pages, as the fork has them. They keep their times. */
  history: AsyncIterable<NewEvent[]>;
  /** What is appended after them, and makes the fork known. Asked for once, when all of the history is stored. */
  beginning(): NewEvent[];
}

/** A confirmation as the view of its session tells it, and where it waits (E4). */
export interface Confirmation
  extends Omit<SessionConfirmation, "asked" | "iteration" | "requested_seq" | "requested_at"> {
  conversation_id: string;
  /** Null where the request does not tell it. */
  iteration: number | null;
  /** Its parameters are cited where they are large (E8). */
  action: { method: string; params: Json };
  requested_seq: number;
  requested_at: string;
  /** It has been waiting for more than a day. */
  overdue: boolean;
  /** A run of this server is waiting for it. */
  own: boolean;
}

/** A confirmation of the list, with what tells a person where it comes from. */
export interface ListedConfirmation extends Confirmation {
  /** The agent that asks. */
  agent_id: string | null;
  /** It is decided, and the agent has not replied yet. */
  unanswered: boolean;
  conversation: {
    title: string | null;
    /** The first words of the first user message: what to show where there is no title. */
    subject: string | null;
    channel: string | null;
    user_id: string | null;
    agent_id: string | null;
  };
}

export interface ConfirmationQuery {
  status?: Confirmation["status"];
  conversation_id?: string;
  cursor?: string;
  limit: number;
}

/** What people are asked, and what they have decided (E4). */
export interface Confirmations {
  get(id: string): Promise<Confirmation | null>;
  /** Oldest first; of those decided one way, the newest decision first. Throws `BadCursor`. */
  list(query: ConfirmationQuery): Promise<Page<ListedConfirmation>>;
}

/** A manager who was called (D9). */
export interface ListedAlert {
  /** Its event's. */
  id: string;
  conversation_id: string;
  seq: number;
  run_id: string | null;
  /** The agent that calls. */
  agent_id: string | null;
  text: string;
  reason: string | null;
  created_at: string;
  /** The conversation was not handed back since (D11). */
  open: boolean;
  closed_at: string | null;
  closed_by: string | null;
  /** What tells a person where it comes from, as it stands now. */
  conversation: ListedConfirmation["conversation"] & {
    taken_over: TakenOver | null;
    /** A run of it has not ended: taking over ends its turns. */
    running: boolean;
  };
}

export interface AlertQuery {
  status: "open" | "all";
  cursor?: string;
  limit: number;
}

/** What managers are called for (E4). */
export interface Alerts {
  /** Newest first. Throws `BadCursor`. */
  list(query: AlertQuery): Promise<Page<ListedAlert>>;
}

/** A run of this server's engine. */
export interface OwnRun {
  run_id: string;
  conversation_id: string;
  parent_run_id: string | null;
}

/** The runs of this server's engine, found by what it appended alone (P22a). */
export interface Runs {
  find(runId: string): Promise<OwnRun | null>;
  /** The events of a run and of all runs below it, oldest first; empty when it is not an own run. */
  events(runId: string): Promise<SessionEvent[]>;
  /** The top-level runs that have not ended, oldest first. */
  open(): Promise<OwnRun[]>;
  /**
   * The oldest approval of this action in the conversation whose run has ended and that nothing has used up (P22a), by
   * its confirmation's id; null for none. The order of keys in the action does not matter.
   */
  unusedApproval(conversationId: string, action: { method: string; params: Json }): Promise<string | null>;
}

/** What a person decides about a confirmation that an agent outside of this server waits for. */
export interface Decision {
  confirmationId: string;
  status: "approved" | "denied";
  reason: string | null;
  /** Edited parameters, or another call; null leaves the action as it was asked. */
  action: { method: string; params: Json } | null;
  /** The result as the person found it; undefined for none. */
  result: Json | undefined;
  actor: string;
  /** The step of the request that is decided: where another one stands, nothing is. */
  requestedSeq: number;
  /** A program unless told otherwise. */
  by?: Teller;
}

/**
 * The log: the one way to write. What is handed in together is stored together or not at all, with its
 * projections, and an answer means it is on disk.
 */
export interface Log {
  /**
   * Appends events that the engine did not make, in order (E2); one that tells no time happens as it is recorded. They are a
   * program's unless told otherwise. Throws `Conflict` when an id exists in another conversation, an event names a run of
   * this server's engine (P22a), or a program gives a conversation to another agent or user.
   */
  append(events: NewEvent[], by?: Teller): Promise<Appended[]>;
  /**
   * Appends events of this server's engine, which make their runs its own, and makes a change of agent state with them,
   * which its last event causes. What `apply` throws undoes all of it. Events that were all there before change nothing
   * again. Throws `Conflict`, also for a call that starts on an approval which another call has used up (P22a), and
   * `TakenOver` for what an agent says, or a turn that begins, where a manager has taken the conversation over (D11).
   */
  appendOwn(
    events: NewEvent[],
    change?: AgentStateChange,
  ): Promise<{ appended: Appended[]; change: AgentStateChanged | null }>;
  /**
   * Decides a confirmation that an agent outside waits for, unless that was done before or its agent has asked for something
   * else meanwhile: gives it back as it then stands, and tells whether this decision counted. Null when there is none. Own runs are decided by the engine.
   */
  decide(decision: Decision): Promise<{ confirmation: Confirmation; counted: boolean } | null>;
  /**
   * Appends `conversation.taken_over`, or `conversation.handed_back`, unless the conversation stands so already (D11);
   * tells whether it changed hands. Null: no such conversation.
   */
  changeHands(event: NewEvent & { conversation_id: string }): Promise<{ changed: boolean } | null>;
  /** Creates the conversation by its first event unless it exists; tells which. */
  createConversation(event: NewEvent & { conversation_id: string }, by?: Teller): Promise<{ created: boolean }>;
  /**
   * Appends whole conversations read from a stream, visible at once at its end; one that exists stays as it is. Events
   * keep their times, absent ones too. A conversation may come in parts, one right after another. Other writes go on
   * meanwhile, and come before all of it: one to a conversation of the import lets that one be there already. Aborts and
   * errors leave nothing, nor does the end of the process. What it brings waits for nobody and calls no manager, unless it is
   * stored as if programs told it now (`by`). Throws what the source throws, the signal's reason, or `Conflict` as `append` does.
   */
  importConversations(
    conversations: AsyncIterable<{ conversation_id: string; events: NewEvent[]; bookmarks?: readonly Bookmark[] }>,
    signal: AbortSignal,
    onProgress?: (progress: ImportProgress) => void,
    by?: "import" | "program",
  ): Promise<{ conversation_id: string; created: boolean; events: number }[]>;
  /**
   * Stores a fork, a page of its history at a time, so that other writes need not wait for its end (E9). It is there at
   * once, whole, or not at all, also where the process ends in between. Events of its history change no agent's state, ask
   * for no confirmation and call no manager, and `since` never gives them. Throws what the history throws, the signal's
   * reason, or `Conflict` as `append` does.
   */
  fork(fork: Fork, signal: AbortSignal): Promise<Appended[]>;
  /** Writes agent state by an event; tells whether there was none before, and the value as it is stored, as JSON. Throws `Stale` when the expectation does not hold. */
  putAgentState(write: {
    agentId: string;
    key: string;
    value: Json;
    expect: Expectation;
    actor: string | null;
    by?: Teller;
  }): Promise<AgentStateEntry & { created: boolean; text: string }>;
  /** Deletes agent state by an event. Throws `Stale`; null when there was none. */
  deleteAgentState(write: {
    agentId: string;
    key: string;
    expect: Expectation;
    actor: string | null;
    by?: Teller;
  }): Promise<AgentStateEntry | null>;
}

/** The marked steps of conversations. They stand beside the log, and no projection of it: a rebuild leaves them as they are. */
export interface BookmarkStore {
  /** In the order of the steps. Null: no such conversation. */
  list(conversationId: string): Promise<Bookmark[] | null>;
  /**
   * Marks a step, or changes its note, unless it stands so already; tells which. Throws `OutOfRange` naming the last step, or
   * `Conflict` while the conversation is being erased. Null: no such conversation.
   */
  put(
    conversationId: string,
    bookmark: Pick<Bookmark, "seq" | "note" | "by">,
  ): Promise<{ bookmark: Bookmark; changed: boolean } | null>;
  /** Takes a step's bookmark away; tells whether there was one. Throws and gives null as `put`. */
  remove(conversationId: string, seq: number): Promise<{ removed: boolean } | null>;
}

/** What is looked for as the next or previous one. */
export type FoundUnit = Exclude<StepUnit, "step">;

/** Slow reads, done away from the thread that writes. Views and timelines are JSON text, ready to be sent. */
export interface Sessions {
  /**
   * The view after event `at` (default: the last), `bare` without what is derived from the rest of it; throws `OutOfRange`
   * naming the last. Null: no such conversation.
   */
  view(conversationId: string, at: number | null, form?: { bare?: boolean }): Promise<string | null>;
  /**
   * Slim rows in columns for the whole session after `after`, or for at most `limit` of its steps, then with what goes on where
   * they begin. An answer without a limit has at most 200,000. Null: no such conversation. Throws `NotMade` where there is a limit.
   */
  timeline(conversationId: string, after: number, limit?: number): Promise<string | null>;
  /**
   * What is drawn of the steps between two where they cannot be told apart; all where none are named. Ends before the last step while
   * the rest is being made. Null: no such conversation.
   */
  timelineBuckets(conversationId: string, range: { from?: number; to?: number }): Promise<string | null>;
  /** The nearest step of a unit after or before a step; 0 where there is none. Null: no such conversation. Throws `NotMade`. */
  nextStep(conversationId: string, asked: { at: number; unit: FoundUnit; direction: 1 | -1 }): Promise<number | null>;
  /**
   * The steps after `after` at which a path of the state was written or read, oldest first (C6); `path` must be one of
   * `†state`, `instance` null takes all. Null: no such conversation.
   */
  stateHistory(
    conversationId: string,
    query: { path: string; instance: string | null; after: number; limit: number },
  ): Promise<PathHistory | null>;
  /**
   * Where calls without a plan used what earlier calls or messages had brought (E15): the calls of a run, of its delegates
   * too, or of all runs. Null: no such conversation.
   */
  inferredEdges(conversationId: string, runId: string | null): Promise<InferredEdges | null>;
  /** What models told of their tokens in a range of steps. Null: no such conversation. */
  tokens(conversationId: string, range: { from: number; to: number }): Promise<Tokens | null>;
  /** Steps whose payload has all of the words of `q`, newest first, before the step `before` (E14). Null: no such conversation. */
  search(
    conversationId: string,
    query: { q: string; where?: FindWhere; before?: number; limit: number },
  ): Promise<SessionSearch | null>;
}

/** The steps at which a path of the state was written or read; `next` is what to ask for after, null at the session's end. */
export interface PathHistory {
  items: StateHistoryEntry[];
  next: string | null;
}

/** Edges that nobody declared; `cut` tells that not all was looked at. */
export interface InferredEdges {
  items: InferredEdge[];
  cut: boolean;
}

/** What models told of the tokens they took. */
export interface Tokens {
  responses: number;
  input_tokens: number;
  output_tokens: number;
}

/** What was found in a session. An answer looks through a bounded part of it: it may have few items, or none, and a `next`. */
export interface SessionSearch {
  items: Found[];
  /** The earliest step that was looked at. */
  from: number;
  /** What to ask for to look on: `before`; null where the session's beginning was reached. */
  next: string | null;
}
