import type { ErasureGuard } from "../../erasure/erasing.ts";
import type { EventRow } from "../../log/event-row.ts";
import { IMPORT } from "../../log/unfinished.ts";
import type {
  AgentStateRow,
  AskedConfirmation,
  ConfirmationValues,
  ConversationValues,
  EventValues,
  KnownEventPlace,
  RunOwnerRow,
  UseOfApproval,
  Writes,
} from "../../log/writes.ts";
import { changesWhatStands } from "../../projections/projections.ts";
import type { BookmarkRow } from "../../queries/bookmark-row.ts";
import { NOTE_COLUMNS } from "../../queries/note-row.ts";
import { type QueueRow, saveQueueWith } from "../../queries/queue-row.ts";
import { saveScoreWith } from "../../queries/score-row.ts";
import type { NewEvent } from "../../repositories.ts";
import { MARK_DUE } from "../../rollup/due-scores.ts";
import type { Queries, Value } from "../database.ts";
import { joined, KnownRows, Undo } from "./known-rows.ts";
import { LOOKUPS } from "./lookups.ts";
import { type Statement, type StoredConfirmation, Written } from "./written-rows.ts";

/** What a transaction finds when it begins. */
export interface Beginning {
  head: number;
  /** The first position of the import that is being stored; null while none is. */
  stagedFrom: number | null;
  /** The replica that stores it. */
  stagedBy: number | null;
  /** Of erasures: see `erasureEpoch`. */
  epoch: number;
  floor: number;
  /** Whether any conversation is closed. */
  isErasing: boolean;
}

/** Before the database was asked: what is decided by it is decided again. */
export const UNKNOWN: Beginning = { head: 0, stagedFrom: null, stagedBy: null, epoch: 0, floor: 0, isErasing: false };

/** Closes conversations. */
export const CLOSE = `INSERT INTO closed_conversations (conversation_id, closed_for) SELECT id, $2 FROM unnest($1::text[]) AS id
  ON CONFLICT DO NOTHING`;
const ONE = { changes: 1 };
const NONE = { changes: 0 };

/**
 * What a transaction decides with, in memory: rows that were looked up, and over them what it wrote. So the rules that storages
 * share run as they do on prepared statements, a thousand events need no thousand round trips, and a request that is refused
 * needs no savepoint. A row that was not looked up counts as missing: then `lookUp` tells whether to decide again.
 */
export class TransactionRows {
  readonly #events = new KnownRows<KnownEventPlace>(LOOKUPS.events);
  readonly #eventsAt = new KnownRows<EventRow>(LOOKUPS.eventsAt);
  readonly #conversations = new KnownRows<{ position: number; summary: string }>(LOOKUPS.conversations);
  readonly #ownRuns = new KnownRows<object>(LOOKUPS.ownRuns);
  readonly #runOwners = new KnownRows<RunOwnerRow>(LOOKUPS.runOwners);
  readonly #lastSeqs = new KnownRows<{ seq: number | null }>(LOOKUPS.lastSeqs);
  readonly #firstPositions = new KnownRows<{ position: number }>(LOOKUPS.firstPositions);
  readonly #extremes = new KnownRows<{ position: number | null }>(LOOKUPS.extremes);
  readonly #agentState = new KnownRows<AgentStateRow>(LOOKUPS.agentState);
  readonly #confirmations = new KnownRows<StoredConfirmation>(LOOKUPS.confirmations);
  readonly #usesOfApprovals = new KnownRows<UseOfApproval>(LOOKUPS.usesOfApprovals);
  readonly #forksMadeBy = new KnownRows<{ origin: string | null }>(LOOKUPS.forksMadeBy);
  readonly #bookmarks = new KnownRows<BookmarkRow>(LOOKUPS.bookmarks);
  readonly #queue = new KnownRows<QueueRow>(LOOKUPS.queue);
  readonly #forks = new KnownRows<{ owner: number }>(LOOKUPS.unfinishedForks);
  readonly #closed = new KnownRows<object>(LOOKUPS.closedConversations);
  readonly #erased = new KnownRows<{ epoch: number }>(LOOKUPS.erasedConversations);
  readonly #spanClaims = new KnownRows<{ owner: number }>(LOOKUPS.spanClaims);
  readonly #undo = new Undo();
  #beginning: Beginning = UNKNOWN;
  #written = new Written();

  readonly #owner: number;

  /** `owner`: of the forks and imports that it begins. */
  constructor(owner: number) {
    this.#owner = owner;
  }

  /** Begins anew, with what has been looked up so far. */
  reset(beginning: Beginning): void {
    this.#beginning = beginning;
    this.#written = new Written();
    this.#undo.clear();
    for (const table of this.#tables()) table.reset();
  }

  /** Notes what is asked for when events are appended; false if more may be. */
  expect(events: readonly NewEvent[]): boolean {
    for (const { id, conversation_id, run_id, parent_run_id } of events) {
      this.#events.expect(id);
      if (conversation_id !== null) this.#conversations.expect(conversation_id);
      if (run_id !== null) this.#ownRuns.expect(run_id);
      if (parent_run_id !== null) this.#ownRuns.expect(parent_run_id);
    }
    return !events.some(changesWhatStands);
  }

  /** Looks up what was asked for and not known. Tells whether any of it is there, and what was decided may be wrong. */
  async lookUp(queries: Queries): Promise<boolean> {
    // All at once: the connection answers them in one round trip.
    const found = await Promise.all(this.#tables().map((table) => table.read(queries)));
    return found.includes(true);
  }

  /** Whether this replica has claimed a trace. */
  mapsTrace(traceId: string): boolean {
    return this.#spanClaims.get(traceId)?.owner === this.#owner;
  }

  /** Erasures, as the transaction finds them. */
  readonly erasing: ErasureGuard = {
    epoch: () => this.#beginning.epoch,
    isClosed: (conversation) => this.#beginning.isErasing && this.#closed.get(conversation) !== undefined,
    isOld: (conversation, epoch) => {
      if (epoch < this.#beginning.floor) return true;
      if (epoch >= this.#beginning.epoch) return false;
      return (this.#erased.get(String(conversation))?.epoch ?? 0) > epoch;
    },
  };

  /** Takes no events for these conversations from now on, until what erases them opens them. */
  close(conversations: readonly string[]): void {
    const before = this.#beginning;
    this.#beginning = { ...before, isErasing: true };
    this.#undo.add(() => {
      this.#beginning = before;
    });
    for (const one of conversations) this.#closed.set(one, {}, this.#undo);
    this.run(CLOSE, [conversations, "erasure"]);
  }

  /** Takes events for conversations that an erasure has closed. */
  open(conversations: readonly string[]): void {
    for (const one of conversations) this.#closed.set(one, null, this.#undo);
    this.run("DELETE FROM closed_conversations WHERE conversation_id = ANY($1) AND closed_for = 'erasure'", [
      conversations,
    ]);
  }

  /** Runs a statement of a store beside the log, after all others. */
  run(text: string, values: Value[]): void {
    this.#push(this.#written.beside, { text, values });
  }

  /** What is to be written, in order. */
  statements(): Statement[] {
    return this.#written.statements();
  }

  /** The rows as the shared rules read and write them. */
  readonly writes: Writes = {
    begin: { run: () => NONE },
    commit: { run: () => NONE },
    rollback: { run: () => NONE },
    savepoint: { run: () => this.#mark() },
    release: { run: () => NONE },
    rollbackTo: { run: () => this.#back() },
    inTransaction: () => true,
    head: { get: () => this.#beginning.head },
    last: { get: () => this.#extremes.get("last")?.position },
    lowest: { get: () => this.#extremes.get("lowest")?.position },
    lastSeq: { get: (conversation) => this.#lastSeqs.get(conversation)?.seq },
    beginFork: { run: (conversation, position) => this.#beginFork(conversation, position) },
    endFork: { run: (conversation) => this.#endFork(conversation) },
    stagedFrom: { get: () => this.#beginning.stagedFrom ?? undefined },
    ownsImport: { get: () => (this.#beginning.stagedBy === this.#owner ? 1 : undefined) },
    ownsFork: { get: (conversation) => (this.#forks.get(conversation)?.owner === this.#owner ? 1 : undefined) },
    firstPosition: { get: (conversation) => this.#firstPositions.get(conversation)?.position },
    eventAt: { get: (position) => this.#eventAt(position) },
    removeStagedMessages: { run: (from) => this.#remove("DELETE FROM messages WHERE position >= $1", from) },
    removeStagedEvents: { run: (from) => this.#remove("DELETE FROM events WHERE position >= $1", from) },
    removeMessages: {
      run: (...step) => this.#remove("DELETE FROM messages WHERE conversation_id = $1 AND seq > $2", ...step),
    },
    removeSnapshots: {
      run: (...step) => this.#remove("DELETE FROM snapshots WHERE conversation_id = $1 AND seq > $2", ...step),
    },
    removeTimelineChunks: {
      run: (...step) => this.#remove("DELETE FROM timeline_chunks WHERE conversation_id = $1 AND seq > $2", ...step),
    },
    removeEvents: { run: (conversation, after) => this.#removeEvents(conversation, after) },
    insertEvent: { run: (...values) => this.#insertEvent(values) },
    eventById: { get: (id) => this.#eventById(id) },
    isOwnRun: { get: (run) => (this.#ownRuns.get(run) ? 1 : undefined) },
    runOwner: { get: (run) => this.#runOwners.get(run) },
    saveRunOwner: {
      run: (run, key, fence, decided, ready) => {
        this.#runOwners.set(run, { key, fence, decided, ready }, this.#undo);
        return this.#put(this.#written.runOwners, run, [run, key, fence, decided, ready]);
      },
    },
    insertMessage: { run: (...values) => this.#push(this.#written.messages, values) },
    conversation: { get: (id) => this.#conversations.get(id) },
    saveConversation: { run: (...values) => this.#saveConversation(values) },
    agentState: { get: (agent, key) => this.#agentState.get(joined(agent, key)) },
    saveAgentState: {
      run: (agent, key, value, version, updated_at) => {
        this.#agentState.set(joined(agent, key), { value, version, updated_at }, this.#undo);
        return this.#put(this.#written.agentState, joined(agent, key), [agent, key, value, version, updated_at]);
      },
    },
    noteAgentState: { run: (...values) => this.#push(this.#written.agentStateVersions, values) },
    forgetConfirmation: {
      run: (...place) => (this.#confirmationAt(place) ? this.#setConfirmation(place[0], null) : NONE),
    },
    insertConfirmation: { run: (...values) => this.#insertConfirmation(values) },
    decideConfirmation: {
      run: (status, reason, decided_seq, decided_at, decided_by, used, action, action_key, ...place) => {
        const row = this.#confirmationAt(place);
        if (row?.status !== "requested") return NONE;
        return this.#setConfirmation(place[0], {
          ...row,
          ...{ status, reason, decided_seq, decided_at, decided_by, used },
          ...{ action: action ?? row.action, action_key: action_key ?? row.action_key },
        });
      },
    },
    approveInPart: {
      run: (approvals, ...place) => {
        const row = this.#confirmationAt(place);
        return row?.status === "requested" ? this.#setConfirmation(place[0], { ...row, approvals }) : NONE;
      },
    },
    confirmation: { get: (id) => this.#confirmation(id) },
    isOwnConfirmation: { get: (id) => (this.#confirmations.get(id)?.own === 1 ? 1 : undefined) },
    useApproval: {
      run: (used, ...place) => {
        const row = this.#confirmationAt(place);
        if (row?.status !== "approved" || row.used !== null) return NONE;
        return this.#setConfirmation(place[0], { ...row, used });
      },
    },
    useOfApproval: { get: (id) => this.#useOfApproval(id) },
    insertAlert: { run: (...values) => this.#push(this.#written.alerts, { values, closed: null }) },
    closeAlerts: { run: (at, by, conversation) => this.#closeAlerts(at, by, conversation) },
    addUsage: { run: (...values) => this.#push(this.#written.usage, values) },
    forkedBy: { get: (conversation) => this.#forksMadeBy.get(conversation)?.origin },
    insertSearched: { run: (place, words) => this.#push(this.#written.searched, [place, words]) },
    saveSearchProgress: { run: (position, history) => this.#push(this.#written.searchProgress, [position, history]) },
    bookmark: { get: (...step) => this.#bookmark(step) },
    saveBookmark: {
      run: (conversation, seq, note, by, at, set_seq) => {
        this.#bookmarks.set(joined(conversation, seq), { seq, note, by, at, set_seq }, this.#undo);
        return this.#put(this.#written.bookmarks, joined(conversation, seq), [
          conversation,
          seq,
          note,
          by,
          at,
          set_seq,
        ]);
      },
    },
    removeBookmark: {
      run: (...step) => {
        if (!this.#bookmarks.get(joined(...step))) return NONE;
        this.#bookmarks.set(joined(...step), null, this.#undo);
        this.#put(this.#written.bookmarks, joined(...step), null);
        return this.#remove("DELETE FROM bookmarks WHERE conversation_id = $1 AND seq = $2", ...step);
      },
    },
    queued: { get: (conversation) => this.#queue.get(conversation) },
    saveQueued: {
      run: (...values) => {
        const [conversation, assignee, due_at, snoozed_until, resolved_at, tags] = values;
        this.#queue.set(conversation, { assignee, due_at, snoozed_until, resolved_at, tags }, this.#undo);
        return this.#push(this.#written.beside, { text: SAVE_QUEUED, values });
      },
    },
    saveNote: { run: (...values) => this.#push(this.#written.beside, { text: SAVE_NOTE, values }) },
    removeNote: { run: (...values) => this.#push(this.#written.beside, { text: REMOVE_NOTE, values }) },
    notifyMentions: { run: (...values) => this.#push(this.#written.beside, { text: NOTIFY_MENTIONS, values }) },
    saveScore: { run: (...values) => this.#push(this.#written.beside, { text: SAVE_SCORE, values }) },
    markScored: { run: (...values) => this.#push(this.#written.beside, { text: MARK_SCORED, values }) },
    removeScore: { run: (...values) => this.#push(this.#written.beside, { text: REMOVE_SCORE, values }) },
    keepScore: { run: (...values) => this.#push(this.#written.beside, { text: KEEP_SCORE, values }) },
    dropKeptScore: { run: (...values) => this.#push(this.#written.beside, { text: DROP_KEPT_SCORE, values }) },
    saveSnapshot: { run: (...values) => this.#push(this.#written.snapshots, values) },
    saveTimelineChunk: { run: (...values) => this.#push(this.#written.timelineChunks, values) },
  };

  #tables(): Pick<KnownRows<object>, "reset" | "read">[] {
    return [
      ...[this.#events, this.#eventsAt, this.#conversations, this.#ownRuns, this.#lastSeqs, this.#firstPositions],
      ...[this.#extremes, this.#agentState, this.#confirmations, this.#usesOfApprovals, this.#forksMadeBy],
      ...[this.#bookmarks, this.#queue, this.#forks, this.#spanClaims, this.#closed, this.#erased, this.#runOwners],
    ];
  }

  #mark(): { changes: number } {
    this.#undo.mark();
    this.#written.mark();
    return NONE;
  }

  #back(): { changes: number } {
    this.#undo.back();
    this.#written.back();
    return NONE;
  }

  /** Onto a list of what is written, which is cut back where a request is refused. */
  #push<T>(list: T[], item: T): { changes: number } {
    list.push(item);
    return ONE;
  }

  #put<T>(map: Map<string, T>, key: string, value: T | null): { changes: number } {
    const before = map.get(key);
    if (value === null) map.delete(key);
    else map.set(key, value);
    this.#undo.add(() => {
      if (before === undefined) map.delete(key);
      else map.set(key, before);
    });
    return ONE;
  }

  #remove(text: string, ...values: Value[]): { changes: number } {
    return this.#push(this.#written.removals, { text, values });
  }

  #beginFork(conversation: string, position: number): { changes: number } {
    if (conversation === IMPORT) this.#stageFrom(position);
    else this.#forks.set(conversation, { owner: this.#owner }, this.#undo);
    return this.#push(this.#written.forks, {
      text: "INSERT INTO unfinished_forks (conversation_id, position, owner) VALUES ($1, $2, $3)",
      values: [conversation, position, this.#owner],
    });
  }

  #endFork(conversation: string): { changes: number } {
    if (conversation === IMPORT) this.#stageFrom(null);
    return this.#push(this.#written.forks, {
      text: "DELETE FROM unfinished_forks WHERE conversation_id = $1",
      values: [conversation],
    });
  }

  #stageFrom(position: number | null): void {
    const before = this.#beginning;
    this.#beginning = { ...before, stagedFrom: position, stagedBy: position === null ? null : this.#owner };
    this.#undo.add(() => {
      this.#beginning = before;
    });
  }

  #eventById(id: string): KnownEventPlace | undefined {
    const written = this.#written.eventsById.get(id);
    if (written) return { position: written[0], conversation_id: written[2], seq: written[3] };
    const place = this.#events.get(id);
    return place && place.conversation_id !== null && this.#written.removed.has(place.conversation_id)
      ? undefined
      : place;
  }

  #eventAt(at: number): EventRow | undefined {
    const values = this.#written.eventsAt.get(at);
    if (!values) return this.#eventsAt.get(String(at));
    const [position, id, conversation_id, seq, type, actor, agent_id, run_id, parent_run_id, caused_by] = values;
    const [occurred_at, recorded_at, payload, origin] = [values[15], values[16], values[17], values[18]];
    return {
      ...{ position, id, conversation_id, seq, type, actor, agent_id, run_id, parent_run_id, caused_by },
      ...{ payload, occurred_at, recorded_at, origin },
    };
  }

  #insertEvent(values: EventValues): { changes: number } {
    const [position, id, conversation_id, seq, type, , , run_id] = values;
    if (this.#eventById(id)) return NONE;
    const origin = values[18];
    if (type === "run.started" && origin === "engine" && run_id !== null) this.#ownRuns.set(run_id, {}, this.#undo);
    if (seq === 1 && conversation_id !== null) this.#firstPositions.set(conversation_id, { position }, this.#undo);
    if (type === "conversation.created" && conversation_id !== null && JSON.parse(values[17])?.forked_from)
      this.#forksMadeBy.set(conversation_id, { origin }, this.#undo);
    this.#written.eventsById.set(id, values);
    this.#written.eventsAt.set(position, values);
    return this.#push(this.#written.events, values);
  }

  /** Only of what was stored by earlier transactions. */
  #removeEvents(conversation: string, after: number): { changes: number } {
    if (after === 0) {
      this.#put(this.#written.removed, conversation, true);
      this.#firstPositions.set(conversation, null, this.#undo);
    }
    return this.#remove("DELETE FROM events WHERE conversation_id = $1 AND seq > $2", conversation, after);
  }

  #saveConversation(values: ConversationValues): { changes: number } {
    const [position, id] = values;
    this.#conversations.set(id, { position, summary: values[8] }, this.#undo);
    return this.#put(this.#written.conversations, id, values);
  }

  #confirmationAt([id, conversation, own]: readonly [string, string, 0 | 1]): StoredConfirmation | null {
    const row = this.#confirmations.get(id);
    return row?.conversation_id === conversation && row.own === own ? row : null;
  }

  #setConfirmation(id: string, row: StoredConfirmation | null): { changes: number } {
    this.#confirmations.set(id, row, this.#undo);
    return this.#put(this.#written.confirmations, id, { row });
  }

  #insertConfirmation(values: ConfirmationValues): { changes: number } {
    const [position, id, conversation_id, own, run_id, call_id, iteration, instance, key, cause] = values;
    const [, , , , , , , , , , action_key, requested_seq, requested_at, description, action, before, approvals] =
      values;
    if (this.#confirmations.get(id)) return NONE;
    const request = this.#eventAt(position)?.id;
    return this.#setConfirmation(id, {
      ...{ position, id, conversation_id, own, run_id, call_id, iteration, instance, key, action_key, requested_seq },
      ...{ requested_at, description, action, before, approvals, status: "requested", cause: causeOf(cause) },
      ...{ decided_seq: null, decided_at: null, decided_by: null, reason: null, used: null },
      requested_by: request ?? "",
    });
  }

  #confirmation(id: string): AskedConfirmation | undefined {
    const row = this.#confirmations.get(id);
    if (!row) return undefined;
    const { position, conversation_id, own, status, run_id, call_id, iteration, instance, key, cause } = row;
    const {
      requested_seq,
      requested_at,
      decided_seq,
      decided_at,
      decided_by,
      reason,
      description,
      action,
      before,
      approvals,
    } = row;
    return {
      ...{ position, id, conversation_id, own, status, run_id, call_id, iteration, instance, key, cause },
      ...{ requested_seq, requested_at, decided_seq, decided_at, decided_by, reason, description, action, before },
      approvals,
      requested_by: row.requested_by,
    };
  }

  #useOfApproval(id: string): UseOfApproval | undefined {
    const used = this.#confirmations.get(id)?.used ?? null;
    if (used === null) return undefined;
    const values = this.#written.eventsAt.get(used);
    if (!values) return this.#usesOfApprovals.get(id);
    return { run_id: values[7], call_id: values[10], iteration: values[11], instance: values[12] };
  }

  #closeAlerts(at: number, by: string | null, conversation: string): { changes: number } {
    for (const alert of this.#written.alerts) {
      if (alert.closed || alert.values[2] !== conversation) continue;
      alert.closed = { at, by };
      this.#undo.add(() => {
        alert.closed = null;
      });
    }
    return this.#remove(
      "UPDATE alerts SET closed_at = $1, closed_by = $2 WHERE conversation_id = $3 AND closed_at IS NULL",
      ...[at, by, conversation],
    );
  }

  #bookmark([conversation, at]: [string, number]): BookmarkRow | undefined {
    const row = this.#bookmarks.get(joined(conversation, at));
    if (!row) return undefined;
    const { seq, note, by, set_seq } = row;
    return { seq, note, by, at: row.at, set_seq };
  }
}

function causeOf(cause: string): AskedConfirmation["cause"] {
  return cause === "interrupted" ? "interrupted" : "risk";
}

const SAVE_NOTE = `INSERT INTO notes (conversation_id, ${NOTE_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;
const REMOVE_NOTE = "DELETE FROM notes WHERE conversation_id = $1 AND id = $2";
const NOTIFY_MENTIONS = `INSERT INTO notices (subject, channel, number, due_at)
  SELECT $1::text, channel, 0, $2::bigint FROM notice_places ON CONFLICT DO NOTHING`;
const SAVE_QUEUED = saveQueueWith("$1, $2, $3, $4, $5, $6");
const SAVE_SCORE = saveScoreWith("$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13");
const MARK_SCORED = MARK_DUE.replace("?", "$1");
const REMOVE_SCORE = "DELETE FROM scores WHERE conversation_id = $1 AND id = $2";
const KEEP_SCORE = `INSERT INTO waiting_scores (id, target, received_at, content) VALUES ($1, $2, $3, $4)
  ON CONFLICT (id) DO NOTHING`;
const DROP_KEPT_SCORE = "DELETE FROM waiting_scores WHERE id = $1";
