import type { Recorder } from "../../lib/session/event.ts";
import type { BookmarkRow } from "../queries/bookmark-row.ts";
import type { ConfirmationRow } from "../queries/confirmation-row.ts";
import type { NoteValues } from "../queries/note-row.ts";
import type { QueueRow, QueueValues } from "../queries/queue-row.ts";
import type { ScoreValues } from "../queries/score-row.ts";
import type { EventRow } from "./event-row.ts";

type Nullable<T> = T | null;

/** The values of a new `events` row, in the order of its columns. */
export type EventValues = [
  position: number,
  id: string,
  conversation_id: Nullable<string>,
  seq: number,
  type: string,
  actor: Nullable<string>,
  agent_id: Nullable<string>,
  run_id: Nullable<string>,
  parent_run_id: Nullable<string>,
  caused_by: Nullable<string>,
  call_id: Nullable<string>,
  iteration: Nullable<number>,
  instance: Nullable<string>,
  tool: Nullable<string>,
  error: number,
  occurred_at: Nullable<number>,
  recorded_at: number,
  payload: string,
  origin: Exclude<Recorder, "program"> | null,
];

/** The values of a new `messages` row, in the order of its columns. */
export type MessageValues = [
  position: number,
  conversation_id: string,
  seq: number,
  id: string,
  role: string,
  name: Nullable<string>,
  tool_call_id: Nullable<string>,
  run_id: Nullable<string>,
  created_at: Nullable<number>,
  metadata: Nullable<string>,
  content: string,
];

/** The values of a `conversations` row, in the order of its columns. */
export type ConversationValues = [
  position: number,
  id: string,
  title: Nullable<string>,
  status: string,
  channel: Nullable<string>,
  stage: Nullable<string>,
  agent_id: Nullable<string>,
  updated_at: number,
  summary: string,
  forked_from: Nullable<string>,
];

/** An entry of `agent_state` as the writer needs it; `value` is null when it was deleted. */
export interface AgentStateRow {
  value: string | null;
  version: number;
  updated_at: number;
}

/** Which event wrote a version of an entry, in the order of the table's columns. */
export type AgentStateVersionValues = [agent_id: string, key: string, version: number, position: number];

/** The values of a new `confirmations` row that is not decided yet. */
export type ConfirmationValues = [
  position: number,
  id: string,
  conversation_id: string,
  own: 0 | 1,
  run_id: Nullable<string>,
  call_id: Nullable<string>,
  iteration: Nullable<number>,
  instance: string,
  key: string,
  cause: string,
  action_key: string,
  requested_seq: number,
  requested_at: number,
  description: Nullable<string>,
  action: string,
  before: Nullable<string>,
  approvals: Nullable<string>,
];

/** The values of a new `alerts` row, which is open. */
export type AlertValues = [
  position: number,
  id: string,
  conversation_id: string,
  seq: number,
  run_id: Nullable<string>,
  created_at: number,
  reason: Nullable<string>,
  text: string,
];

/** Who may append to a top-level run that replicas carry on. */
export interface RunOwnerRow {
  key: string;
  fence: number;
  decided: number;
  ready: number;
}

/** A confirmation with the id of the event that asked for it. */
export interface AskedConfirmation extends ConfirmationRow {
  requested_by: string;
}

/** Which confirmation an event may touch: that of its own conversation and origin. */
export type ConfirmationPlace = [id: string, conversation_id: string, own: 0 | 1];

/** Where an event is that exists. */
export interface KnownEventPlace {
  conversation_id: Nullable<string>;
  seq: number;
  position: number;
}

/** The call that used an approval up. */
export interface UseOfApproval {
  run_id: Nullable<string>;
  iteration: Nullable<number>;
  instance: Nullable<string>;
  call_id: Nullable<string>;
}

/** What decides a confirmation, and which it is. */
export type ConfirmationDecision = [
  status: "approved" | "denied",
  reason: Nullable<string>,
  decided_seq: number,
  decided_at: number,
  decided_by: Nullable<string>,
  used: Nullable<number>,
  action: Nullable<string>,
  action_key: Nullable<string>,
  ...ConfirmationPlace,
];

/** Reads one row, or one value of it; undefined where there is none. */
interface Get<Params extends unknown[], Row> {
  get(...params: Params): Row | undefined;
}

/** Writes rows, and tells how many. */
export interface Run<Params extends unknown[]> {
  run(...params: Params): { changes: number };
}

type Step = [conversation_id: string, seq: number];

/**
 * What a transaction reads and writes while it decides what to store. In SQLite these are its prepared statements; for
 * Postgres they work on rows in memory, which are read before and written after.
 */
export interface Writes {
  begin: Run<[]>;
  commit: Run<[]>;
  rollback: Run<[]>;
  savepoint: Run<[]>;
  release: Run<[]>;
  rollbackTo: Run<[]>;
  inTransaction: () => boolean;
  /** The newest position that is seen. */
  head: Get<[], number>;
  /** The newest position of all. */
  last: Get<[], number | null>;
  /** The lowest position that is taken, or kept for a fork. */
  lowest: Get<[], number | null>;
  lastSeq: Get<[conversation_id: string], number | null>;
  beginFork: Run<[conversation_id: string, position: number]>;
  endFork: Run<[conversation_id: string]>;
  /** The first position of the import that is being stored. */
  stagedFrom: Get<[], number>;
  /** Whether this process stores it. */
  ownsImport: Get<[], unknown>;
  /** Whether this process stores a fork's history, and nobody has removed it. */
  ownsFork: Get<[conversation_id: string], unknown>;
  firstPosition: Get<[conversation_id: string], number>;
  eventAt: Get<[position: number], EventRow>;
  removeStagedMessages: Run<[from: number]>;
  removeStagedEvents: Run<[from: number]>;
  removeMessages: Run<[conversation_id: string, after: number]>;
  removeSnapshots: Run<[conversation_id: string, after: number]>;
  removeTimelineChunks: Run<[conversation_id: string, after: number]>;
  removeEvents: Run<[conversation_id: string, after: number]>;
  /** Changes nothing where the id exists. */
  insertEvent: Run<EventValues>;
  eventById: Get<[id: string], KnownEventPlace>;
  isOwnRun: Get<[run_id: string], 1>;
  runOwner: Get<[run_id: string], RunOwnerRow>;
  saveRunOwner: Run<[run_id: string, key: string, fence: number, decided: number, ready: number]>;
  insertMessage: Run<MessageValues>;
  conversation: Get<[id: string], { position: number; summary: string }>;
  saveConversation: Run<ConversationValues>;
  agentState: Get<[agent_id: string, key: string], AgentStateRow>;
  saveAgentState: Run<[agent_id: string, key: string, value: Nullable<string>, version: number, updated_at: number]>;
  noteAgentState: Run<AgentStateVersionValues>;
  forgetConfirmation: Run<ConfirmationPlace>;
  /** Changes nothing where the id exists. */
  insertConfirmation: Run<ConfirmationValues>;
  /** Changes nothing unless it is still requested. */
  decideConfirmation: Run<ConfirmationDecision>;
  /** Changes nothing unless it is still requested. */
  approveInPart: Run<[approvals: string, ...ConfirmationPlace]>;
  confirmation: Get<[id: string], AskedConfirmation>;
  isOwnConfirmation: Get<[id: string], unknown>;
  /** Changes nothing unless it is approved and unused. */
  useApproval: Run<[used: number, ...ConfirmationPlace]>;
  useOfApproval: Get<[id: string], UseOfApproval>;
  insertAlert: Run<AlertValues>;
  closeAlerts: Run<[at: number, by: Nullable<string>, conversation_id: string]>;
  addUsage: Run<[day: string, agent: string, model: string, input: number, output: number]>;
  /** Who recorded that the conversation is a fork; null for a program. */
  forkedBy: Get<[conversation_id: string], Nullable<string>>;
  /** The text is given as the index takes it. */
  insertSearched: Run<[place: bigint, text: string]>;
  saveSearchProgress: Run<[position: number, history: number]>;
  bookmark: Get<Step, BookmarkRow>;
  saveBookmark: Run<[...Step, note: Nullable<string>, by: Nullable<string>, at: number, set_seq: number]>;
  removeBookmark: Run<Step>;
  saveScore: Run<ScoreValues>;
  /** Has the rollup count the scores of the conversation again. */
  markScored: Run<[conversation_id: string]>;
  saveNote: Run<NoteValues>;
  removeNote: Run<[conversation_id: string, id: string]>;
  /** To be sent by each channel at `due_at`. */
  notifyMentions: Run<[subject: string, due_at: number]>;
  queued: Get<[conversation_id: string], QueueRow>;
  saveQueued: Run<QueueValues>;
  removeScore: Run<[conversation_id: string, id: string]>;
  /** Changes nothing where it waits already. */
  keepScore: Run<[id: string, target: string, received_at: number, content: string]>;
  dropKeptScore: Run<[id: string]>;
  saveSnapshot: Run<[...Step, reducer_version: number, session: Uint8Array]>;
  saveTimelineChunk: Run<[...Step, version: number, holds: string, buckets: string, standing: Uint8Array]>;
}
