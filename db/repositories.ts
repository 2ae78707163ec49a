import type { ExportedNote, NewNote, Note } from "../lib/notes/note.ts";
import type { QueueChange, QueueFilter, QueueItem, QueueView } from "../lib/queue/queue.ts";
import type { Direction, Ranges, Sort } from "../lib/rollup/totals.ts";
import type { ReviewedScore } from "../lib/scores/agreement.ts";
import type { Judgement } from "../lib/scores/judge.ts";
import type { ExportedScore, NewScore, Score, ScoreFilter, ScoreSummary } from "../lib/scores/score.ts";
import type { Bookmark } from "../lib/session/bookmarks.ts";
import type { Recorder, SessionEvent } from "../lib/session/event.ts";
import type { ForkMode } from "../lib/session/events/catalogue.ts";
import type { FindWhere, Found } from "../lib/session/find/find-in-event.ts";
import type { InferredEdge } from "../lib/session/find/inferred-edges.ts";
import type { SearchHit } from "../lib/session/find/search-hit.ts";
import type { StateHistoryEntry } from "../lib/session/find/state-history.ts";
import type { Json, JsonObject } from "../lib/session/json/json.ts";
import type {
  ConversationStatus,
  DecidedStatus,
  Message,
  Confirmation as SessionConfirmation,
  ShownConversationStatus,
  Summary,
  TakenOver,
} from "../lib/session/session.ts";
import type { StepUnit } from "../lib/session/timeline/steps.ts";
import type { AgentStateChange, AgentStateChanged, AgentStateEntry, Expectation } from "./agent-state.ts";
import type { Happened } from "./rollup.ts";

export type * from "./agent-state.ts";
export type * from "./spans.ts";
export type * from "./telegram.ts";

/** An event to append: validated, without seq and position. */
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
  /** Set only by imports, which keep the time that the original server recorded. */
  recorded_at?: string;
}

/** Who may append an event, besides the engine and imports. */
export type AppendOrigin = Exclude<Recorder, "engine" | "import">;

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

/** A page of a list with keyset pagination. Cursors are opaque; null at either end. */
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
    | "open_calls"
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
  /** The status that the console shows. */
  shown_status: ShownConversationStatus;
  error_count: number;
  /** The newest decision that its agent has not responded to yet. */
  unanswered: DecidedStatus | null;
  created_at: string;
  updated_at: string;
  /** The number of its forks (E9). */
  fork_count: number;
  /** For a fork: whether its calls are executed, as chosen on this server; null if it is not a fork. */
  fork_mode: ForkMode | null;
  /** What people do about it; null where nobody has touched it. */
  queue: QueueItem | null;
  note_count: number;
  /** Of its newest scores. */
  scores: ScoreSummary[];
  /** Of all requests to models, as the overview counts them; null until they are counted. */
  tokens: number | null;
  /** What they cost, by the prices of this server; null if a model has no price, or until it is counted. */
  cost: number | null;
  /** Where the search matched. Only in searches, and not if only the title or the id matches. */
  hit?: SearchHit;
}

/** A page of the list. */
export interface ConversationPage extends Page<Conversation> {
  /** Events not yet indexed, up to 10,000. Only in searches and by what conversations add up to, while there are any. */
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
  /** Only forks of this conversation (E9). */
  forked_from?: string;
  /** Only those of a view of the queue, of somebody, or with a tag. */
  queue?: QueueFilter | undefined;
  assignee?: string | undefined;
  tag?: string | undefined;
  /** Only those with such a score. */
  score?: ScoreFilter | undefined;
  /** Only those in which this happened, as the overview counts it. */
  happened?: Happened | undefined;
  /** Only those with a failure of this kind among the newest 2,000 failures of a tool. */
  error?: { tool: string; fingerprint: string } | undefined;
  /** Only those that add up to as much. */
  ranges?: Ranges | undefined;
  /** By last activity if it is left out. By a score: only those that have one. */
  sort?: Sort | undefined;
  /** Descending by default. */
  order?: Direction | undefined;
  cursor?: string;
  limit: number;
}

/** The values of filters, conversations per status, and the numbers of pending confirmations and open alerts. */
export interface Facets {
  total: number;
  awaiting: number;
  /** Open alerts. */
  alerts: number;
  statuses: Record<ConversationStatus, number>;
  /** The most frequent values, a limited number of each. */
  channels: string[];
  stages: string[];
  agents: string[];
  /** The number of other values. */
  more: { channels: number; stages: number; agents: number };
}

export interface Conversations {
  get(id: string): Promise<Conversation | null>;
  /** The summary that its row is derived from, as of its newest event. */
  summary(id: string): Promise<Summary | null>;
  list(query: ConversationQuery): Promise<ConversationPage>;
  facets(): Promise<Facets>;
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

/** A confirmation as in its session's view, with where it is pending (E4). */
export interface Confirmation
  extends Omit<SessionConfirmation, "asked" | "iteration" | "requested_seq" | "requested_at"> {
  conversation_id: string;
  /** Null if the request does not name it. */
  iteration: number | null;
  /** Large parameters are replaced by references (E8). */
  action: { method: string; params: Json };
  requested_seq: number;
  requested_at: string;
  /** It has been pending for more than a day. */
  overdue: boolean;
  /** Whether a run of this server waits for it. */
  own: boolean;
}

/** A confirmation of the list, with its conversation and agent. */
export interface ListedConfirmation extends Confirmation {
  /** The agent that requests it. */
  agent_id: string | null;
  /** It is decided, and the agent has not responded yet. */
  unanswered: boolean;
  /** Who looks after the conversation, if anybody does, and who stands in for them now. */
  owner?: string | undefined;
  deputy?: string | undefined;
  conversation: {
    title: string | null;
    /** The first words of the first user message, shown if there is no title. */
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

/** Requests for approval, and their decisions (E4). */
export interface Confirmations {
  get(id: string): Promise<Confirmation | null>;
  /** Pending ones oldest first; decided ones newest decision first. Throws `BadCursor`. */
  list(query: ConfirmationQuery): Promise<Page<ListedConfirmation>>;
}

/** An alert that calls a manager (D9). */
export interface ListedAlert {
  /** The event's id. */
  id: string;
  conversation_id: string;
  seq: number;
  run_id: string | null;
  /** The agent that raised it. */
  agent_id: string | null;
  text: string;
  reason: string | null;
  created_at: string;
  /** Whether the conversation has not been handed back since (D11). */
  open: boolean;
  closed_at: string | null;
  closed_by: string | null;
  /** The conversation's current state. */
  conversation: ListedConfirmation["conversation"] & {
    taken_over: TakenOver | null;
    /** Whether it has an active run; a takeover ends its turns. */
    running: boolean;
  };
}

export interface AlertQuery {
  status: "open" | "all";
  cursor?: string;
  limit: number;
}

/** The alerts of managers (E4). */
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

/** A person approves a confirmation that several people have to approve. */
export type PartialApproval = Pick<Decision, "confirmationId" | "reason" | "actor" | "requestedSeq">;

/** A decision on a confirmation of an external agent. */
export interface Decision {
  confirmationId: string;
  status: "approved" | "denied";
  reason: string | null;
  /** Edited parameters, or another call; null leaves the action unchanged. */
  action: { method: string; params: Json } | null;
  /** The result that the operator entered; undefined for none. */
  result: Json | undefined;
  actor: string;
  /** The seq of the request that is decided. If it has been replaced by a newer request, nothing is decided. */
  requestedSeq: number;
  /** `program` by default. */
  by?: AppendOrigin;
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

/** Bookmarks of steps. They are not derived from the log: a rebuild does not change them. */
export interface BookmarkStore {
  /** In the order of the steps. Null: the conversation does not exist. */
  list(conversationId: string): Promise<Bookmark[] | null>;
  /**
   * Bookmarks a step, or changes its note; returns what changed. Throws `OutOfRange` with the last step, or `Conflict` while
   * the conversation is being erased. Null: the conversation does not exist.
   */
  put(
    conversationId: string,
    bookmark: Pick<Bookmark, "seq" | "note" | "by">,
  ): Promise<{ bookmark: Bookmark; changed: boolean } | null>;
  /** Deletes a step's bookmark; returns whether there was one. Throws and returns null as `put` does. */
  remove(conversationId: string, seq: number): Promise<{ removed: boolean } | null>;
}

/** Notes. They are not derived from the log: a rebuild does not change them. */
export interface NoteStore {
  /** Oldest first. Null: the conversation does not exist. */
  list(conversationId: string): Promise<Note[] | null>;
  /**
   * Adds a note, and notifications of those whom it mentions. Throws `OutOfRange` where it has no such step, `Conflict` while it is
   * being erased, also beyond `MOST_NOTES`. Null: it does not exist.
   */
  add(conversationId: string, note: NewNote): Promise<Note | null>;
  /** Deletes a note and returns it; null if there was none. Throws as `add` does. */
  remove(conversationId: string, id: string): Promise<Note | null>;
}

export type QueueCounts = Record<QueueView, number>;

/** What people do about conversations. It is not derived from the log: a rebuild does not change it. */
export interface QueueStore {
  /** Changes conversations, all or none. Throws `Conflict` where one would have too many tags or is being erased. */
  change(ids: readonly string[], change: QueueChange): Promise<{ changed: string[]; missing: string[] }>;
  /** How many conversations each view of this person has at a time (epoch ms). */
  counts(me: string, now: number): Promise<QueueCounts>;
  /** The most used tags. */
  tags(): Promise<string[]>;
}

/** Scores. They are not derived from the log: a rebuild does not change them. */
export interface ScoreStore {
  /** Oldest first. Null: the conversation does not exist. */
  list(conversationId: string): Promise<Score[] | null>;
  /**
   * Adds a score, or replaces that of the same author on the same under the same name. Throws `OutOfRange` where it has no
   * such step, `Conflict` while it is being erased, also beyond `MOST_SCORES`. Null: it does not exist. `judgement`: how a model
   * came to it.
   */
  put(conversationId: string, score: NewScore, judgement?: Judgement): Promise<Score | null>;
  /** How a model came to a score; null where no model gave it, or there is none. */
  judgement(conversationId: string, id: string): Promise<Judgement | null>;
  /** Scores since (epoch ms) of conversations that a person has scored under the same name: the newest 20,000, newest first. */
  reviewed(since: number): Promise<ReviewedScore[]>;
  /** The scores that an author has given since (epoch ms), and the tokens that models used for them, with what they cost. */
  spent(by: string, since: number): Promise<{ scores: number; tokens: number; cost: number }>;
  /** Deletes a score and returns it; null if there was none. Throws as `put` does. */
  remove(conversationId: string, id: string): Promise<Score | null>;
  /** Keeps scores whose place may not be there yet. */
  keep(scores: readonly WaitingScore[]): Promise<void>;
  /**
   * Gives those that wait their conversation if it is there by now, and drops those that came before `before` (epoch ms). Returns
   * how many still wait.
   */
  settle(before: number): Promise<{ waiting: number; dropped: number }>;
}

/** A score from OpenTelemetry. */
export interface WaitingScore {
  place: AwaitedPlace;
  score: NewScore;
}

/** A conversation, or the events of a span, whose ids begin with `events`. */
export type AwaitedPlace = { conversation_id: string } | { events: string };

/** The kinds of steps that "next" and "previous" look for. */
export type FoundUnit = Exclude<StepUnit, "step">;

/** Slow reads, done in reader threads. Views and timelines are JSON text, ready to be sent. */
export interface Sessions {
  /**
   * The view after event `at` (default: the last); `bare`: without derived fields. Throws `OutOfRange` with the last step.
   * Null: the conversation does not exist.
   */
  view(conversationId: string, at: number | null, form?: { bare?: boolean }): Promise<string | null>;
  /** The same as UTF-8, for an answer. */
  viewBytes(
    conversationId: string,
    at: number | null,
    form?: { bare?: boolean },
  ): Promise<Uint8Array<ArrayBuffer> | null>;
  /**
   * Timeline rows in columns, for the whole session after `after` (at most 200,000), or for at most `limit` steps, then with
   * what is active at their start. Null: the conversation does not exist. Throws `NotMade` if there is a limit.
   */
  timeline(conversationId: string, after: number, limit?: number): Promise<string | null>;
  /**
   * Buckets of the steps of a range, by default all, for zoom levels at which single steps cannot be seen. Ends before the last
   * step while the rest is being built. Null: the conversation does not exist.
   */
  timelineBuckets(conversationId: string, range: { from?: number; to?: number }): Promise<string | null>;
  /** The nearest step of a unit after or before a step; 0 if there is none. Null: the conversation does not exist. Throws `NotMade`. */
  nextStep(conversationId: string, asked: { at: number; unit: FoundUnit; direction: 1 | -1 }): Promise<number | null>;
  /**
   * The steps after `after` at which a path of the state was written or read, oldest first (C6); `path` must be below
   * `†state`; `instance` null means all. Null: the conversation does not exist.
   */
  stateHistory(
    conversationId: string,
    query: { path: string; instance: string | null; after: number; limit: number },
  ): Promise<PathHistory | null>;
  /**
   * Inferred edges: where calls without a plan used values of earlier calls or messages (E15), for a run with its delegates,
   * or for all runs. Null: the conversation does not exist.
   */
  inferredEdges(conversationId: string, runId: string | null): Promise<InferredEdges | null>;
  /** The whole session as runs, calls and declared edges (`SessionMap`), as JSON. Null: the conversation does not exist. */
  map(conversationId: string): Promise<string | null>;
  /**
   * The failures of the same kind as that of a step, in all conversations, among the newest 1,000 of the same tool, and
   * that of the step. Null: there is no such step, or it records no failure.
   */
  similarFailures(conversationId: string, seq: number): Promise<SimilarFailures | null>;
  /** Whether the conversation has a run, or a call of it, started or planned. Null: the conversation does not exist. */
  holds(conversationId: string, part: { run_id: string; call_id: string | null }): Promise<boolean | null>;
  /** The token usage of models in a range of steps. Null: the conversation does not exist. */
  tokens(conversationId: string, range: { from: number; to: number }): Promise<Tokens | null>;
  /** Steps whose payload contains all words of `q`, newest first, before the step `before` (E14). Null: the conversation does not exist. */
  search(
    conversationId: string,
    query: { q: string; where?: FindWhere; before?: number; limit: number },
  ): Promise<SessionSearch | null>;
}

/** The steps at which a path of the state was written or read; `next` continues the list, null at the session's end. */
export interface PathHistory {
  items: StateHistoryEntry[];
  next: string | null;
}

/** Inferred edges; `cut`: not all events were examined. */
export interface InferredEdges {
  items: InferredEdge[];
  cut: boolean;
}

/** Failures of the same kind, the step's own among them. `cut`: there may be more. */
export interface SimilarFailures {
  failures: number;
  conversations: number;
  cut: boolean;
  /** The earliest; when cut, among the newest and the oldest 1,000 of the same tool. */
  first: FailurePlace | null;
  /** The newest of each conversation, of the newest five. */
  items: FailurePlace[];
}

export interface FailurePlace {
  conversation_id: string;
  /** The conversation's title or its first words. */
  name: string | null;
  seq: number;
  at: string;
  message: string;
}

/** The token usage that models reported. */
export interface Tokens {
  responses: number;
  /** Responses that came without numbers of tokens. */
  unreported: number;
  input_tokens: number;
  output_tokens: number;
}

/** Search results of a session. A request searches a limited part of it: it may have few results, or none, and a `next`. */
export interface SessionSearch {
  items: Found[];
  /** The earliest step searched. */
  from: number;
  /** The `before` of the next request; null if the session's start was reached. */
  next: string | null;
}
