import { bookmarkingOf } from "../../lib/session/bookmarks.ts";
import type { Recorder, SessionEvent } from "../../lib/session/event.ts";
import { type EventIndexColumns, indexColumnsOf } from "../../lib/session/events/event-index-columns.ts";
import type { Json } from "../../lib/session/json/json.ts";
import type { Summary, TakenOver } from "../../lib/session/session.ts";
import { addToSummary, copyOf, emptySummary } from "../../lib/session/summary/summary.ts";
import type { ErasureGuard } from "../erasure/erasing.ts";
import { Conflict } from "../errors.ts";
import { ImportStage } from "../import/import-stage.ts";
import { AS_IT_COMES, type Redact, redacted, type StoredPayload, storedPayload } from "../payload/stored-payload.ts";
import { noteUsage } from "../projections/note-usage.ts";
import { project, projectMessage, projectStanding, saveConversation } from "../projections/projections.ts";
import { SNAPSHOT_EVERY } from "../projections/snapshot.ts";
import { CHUNK_VERSION, type StoredChunk } from "../projections/timeline-chunk.ts";
import type { Appended, NewEvent } from "../repositories.ts";
import { conversationOf } from "../search/search-place.ts";
import type { Unsearched } from "../search/unsearched.ts";
import type { PreparedEvent } from "../spans.ts";
import { toIso, toMs } from "../times.ts";
import { Annotations } from "./annotations.ts";
import { refuseTooFewApprovals } from "./approve-in-part.ts";
import { toEvent } from "./event-row.ts";
import { type Circumstances, insertEvent } from "./insert-event.ts";
import { OwnRuns, refuseSecondUse } from "./own-runs.ts";
import { refuseAnotherOwner } from "./refuse-another-owner.ts";
import { refuseForkClaims, refuseInFork } from "./refuse-fork-claims.ts";
import { refuseSpeech } from "./refuse-speech.ts";
import { refuseTakenConfirmation } from "./refuse-taken-confirmation.ts";
import type { Recorded } from "./tail.ts";
import { UnparsedEvent } from "./unparsed-event.ts";
import type { AgentStateRow, AskedConfirmation, EventValues, Run, RunOwnerRow, Writes } from "./writes.ts";

/** A conversation's row; `position` is that of its first event. */
interface Row {
  position: number;
  summary: Summary;
}

/** The changes of one request; discarded if it fails. */
interface Staged {
  head: number;
  rows: Map<string, Row>;
  recorded: Recorded[];
}

/** What an event is written with: its conversation's row before it, its payload as text, its index columns. */
interface Made {
  row: Row | null;
  text: string;
  /** Of agent state: the text of its value alone. */
  value?: string | undefined;
  columns: EventIndexColumns;
  beginsFork?: boolean;
  insert?: Run<EventValues> | undefined;
  /** Refused before it is written: what refuses it need not undo anything. Otherwise an event that exists is not refused. */
  refusesFirst?: boolean;
}

/** Checks and redaction of events. */
export interface Guards {
  erasing: ErasureGuard;
  redact: Redact;
}

/**
 * A transaction of the writer, from BEGIN to COMMIT. It caches the conversations that it changes, so that each is read
 * once and saved once, however many events it gets.
 */
export class Transaction {
  /** Whether appended events are kept for the tail. */
  readonly collects: boolean;
  /** The appended events, in order, if `collects`. */
  readonly recorded: Recorded[] = [];
  /** Conversations that may need a new snapshot. */
  readonly ripe = new Set<string>();
  /** What is saved beside the log. */
  readonly annotations: Annotations;
  /** The recording time of all events of the transaction, epoch ms. */
  readonly recordedAt = Date.now();
  readonly #recordedIso = toIso(this.recordedAt);
  readonly #writes: Writes;
  readonly #erasing: ErasureGuard;
  readonly #redact: Redact;
  readonly #read = new Map<string, Row>();
  readonly #rows = new Map<string, Row>();
  readonly #ownRuns: OwnRuns;
  readonly #import: ImportStage;
  #before = 0;
  #head = 0;
  #staged: Staged = this.#stage();

  constructor(writes: Writes, collects: boolean, { erasing, redact }: Guards) {
    this.#writes = writes;
    this.#erasing = erasing;
    this.#redact = redact;
    this.#ownRuns = new OwnRuns(writes);
    this.#import = new ImportStage(writes);
    this.annotations = new Annotations(writes, {
      redact,
      recordedAt: this.recordedAt,
      refuseClosed: (id) => this.#refuseClosed(id),
    });
    this.collects = collects;
  }

  begin(): void {
    this.#writes.begin.run();
    this.#import.read();
    this.#before = this.#writes.head.get() ?? 0;
    this.#head = this.#before;
    this.#staged = this.#stage();
  }

  /** Runs one request in a savepoint. If it throws, its writes are rolled back and the transaction continues. */
  attempt<T>(work: () => T): T {
    this.#writes.savepoint.run();
    try {
      const result = work();
      this.#writes.release.run();
      this.#keep();
      return result;
    } catch (error) {
      this.#staged = this.#stage();
      this.#ownRuns.forget();
      // A full disk rolls back the whole transaction; there is no savepoint left to roll back to.
      if (this.#writes.inTransaction()) {
        this.#writes.rollbackTo.run();
        this.#writes.release.run();
        this.#import.read();
      }
      throw error;
    }
  }

  /** Writes the rows of the cached conversations and clears the cache. */
  saveConversations(): void {
    this.#keep();
    for (const [id, row] of this.#rows) saveConversation(this.#writes, id, row.position, row.summary);
    this.#rows.clear();
    this.#read.clear();
  }

  /** Durable from here on. */
  commit(): void {
    this.saveConversations();
    this.#writes.commit.run();
  }

  rollback(): void {
    if (this.#writes.inTransaction()) this.#writes.rollback.run();
  }

  /** The newest position, including this transaction. */
  get head(): number {
    return this.#head;
  }

  /** Whether it appended anything. */
  get grew(): boolean {
    return this.#head > this.#before;
  }

  /** A conversation's current row; null: no such conversation. */
  summary(id: string): Summary | null {
    return this.#row(id)?.summary ?? null;
  }

  /** Whether the run is of this server's engine (P22a). */
  isOwnRun(id: string): boolean {
    return this.#writes.isOwnRun.get(id) !== undefined;
  }

  /**
   * Appends an event that the engine did not create; without a time it gets the current one. Throws `Conflict` if its
   * id exists in another conversation (E2), also that of the confirmation that it requests, if it names an own run
   * (P22a), or if a program assigns a conversation to another agent or user. `stored` is its serialized payload, if
   * available.
   */
  append(event: NewEvent, by: Exclude<Recorder, "engine">, stored?: StoredPayload): Appended {
    return this.#store(event, { occurredAt: this.#timeOf(event), recordedAt: this.recordedAt, by }, { stored });
  }

  /**
   * Appends a program's event whose row was prepared; `insert` writes it, where it is not as usual. Throws as `append` does, but
   * has written nothing then: the transaction may go on.
   */
  appendPrepared(event: PreparedEvent, insert?: Run<EventValues>): Appended {
    const { recordedAt } = this;
    const circumstances = { occurredAt: event.occurredAt ?? recordedAt, recordedAt, by: "program" } as const;
    if (this.#redact !== AS_IT_COMES)
      return this.#store({ ...event, payload: JSON.parse(event.text) }, circumstances, { refusesFirst: true });
    const { text, columns } = event;
    const row = this.#rowOf(event);
    const { seq, position } = this.#placeOf(event, row);
    const recorded_at = this.#recordedIso;
    const stored = new UnparsedEvent(event, {
      seq,
      position,
      recorded_at,
      occurred_at: event.occurred_at ?? recorded_at,
    });
    return this.#write(stored, circumstances, { row, text, columns, insert, refusesFirst: true });
  }

  /**
   * Appends an event of this server's engine. Throws `Conflict`, also if it uses an approval again (P22a), and
   * `TakenOver` (D11).
   */
  appendOwn(event: NewEvent): Appended {
    return this.#store(event, { occurredAt: this.#timeOf(event), recordedAt: this.recordedAt, by: "engine" });
  }

  /** Appends an event after a fork's history (E9). */
  appendBeginning(event: NewEvent): Appended {
    return this.#store(
      event,
      { occurredAt: this.#timeOf(event), recordedAt: this.recordedAt, by: "person" },
      { beginsFork: true },
    );
  }

  /** The redacted payload of an event. */
  redacted({ type, payload }: Pick<NewEvent, "type" | "payload">): Json {
    return redacted({ type, payload }, this.#redact);
  }

  /** Starts an import `gap` positions above the log's end; returns its first position (E11), or null while another process stores one. */
  beginImport(gap: number): number | null {
    if (this.#import.isOthers) return null;
    const first = this.#head + 1 + gap;
    this.#import.begin(first);
    return first;
  }

  /**
   * Stores an event of an import invisibly; false if its conversation has it already. Throws `Conflict` as `append`
   * does.
   */
  stage(event: SessionEvent): boolean {
    this.#import.refuseLost();
    if (!insertEvent(this.#writes.insertEvent, event, recordedBefore(event), JSON.stringify(event.payload))) {
      this.#duplicate(event);
      return false;
    }
    this.#ownRuns.refuse(event);
    projectMessage(this.#writes, event);
    return true;
  }

  /** Whether the conversation belongs to the import, and nobody else has written to it. */
  isStaged(conversationId: string): boolean {
    return this.#import.has(conversationId);
  }

  /** Makes a staged conversation visible. `position` is that of its first event. */
  showConversation(id: string, position: number, summary: Summary): void {
    saveConversation(this.#writes, id, position, summary);
    if (summary.last_seq >= SNAPSHOT_EVERY) this.ripe.add(id);
  }

  /**
   * Applies a staged event to the global projections. An event that was dropped does nothing. Throws `Conflict` if it
   * requests a confirmation with the id of another conversation's.
   */
  showEvent(position: number): void {
    const row = this.#writes.eventAt.get(position);
    if (!row) return;
    const event = toEvent(row);
    refuseTakenConfirmation(this.#writes, event);
    projectStanding(this.#writes, event);
  }

  /** Readers see the import up to `last`, and later events follow it. It goes on at `next`; null: it is complete. */
  showImport(last: number, next: number | null): void {
    this.#import.refuseLost();
    this.#import.end();
    if (next !== null) this.#import.begin(next);
    this.#staged.head = Math.max(this.#staged.head, last);
  }

  /** Removes the newest `count` events of an incomplete import; returns whether all are removed. */
  removeImport(count: number): boolean {
    return this.#import.remove(count);
  }

  /** Reserves `length` positions below all others for a fork's history; returns the first (E9). */
  beginHistory(conversationId: string, length: number): number {
    const first = Math.min(this.#writes.lowest.get() ?? 0, 0) - length;
    // From the next page on, its first event reserves them.
    this.#writes.beginFork.run(conversationId, first);
    return first;
  }

  /** Stores an event of a fork's history; readers that follow the log do not see it. */
  storeHistory(event: SessionEvent): void {
    this.#refuseLostFork(event.conversation_id);
    if (!insertEvent(this.#writes.insertEvent, event, recordedBefore(event), JSON.stringify(event.payload)))
      throw new Conflict(`The event id ${event.id} already exists; a fork's events need new ids`);
    project(this.#writes, event);
  }

  /** A fork's history is complete: the next events continue it and make the conversation visible. */
  endHistory(conversationId: string, row: { position: number; summary: Summary } | null): void {
    this.#refuseLostFork(conversationId);
    this.#writes.endFork.run(conversationId);
    // A copy: the request may be done again.
    if (row) this.#staged.rows.set(conversationId, { ...row, summary: copyOf(row.summary) });
  }

  /** Removes the newest `count` events of a fork's unfinished history; returns whether all are removed. */
  removeHistory(conversationId: string, count: number): boolean {
    return this.removeAfter(conversationId, this.lastSeq(conversationId) - count);
  }

  /** The newest stored step of a conversation that nobody sees; 0 for none. */
  lastSeq(conversationId: string): number {
    return this.#writes.lastSeq.get(conversationId) ?? 0;
  }

  /** Removes the steps after `seq` of a conversation that nobody sees; returns whether all are removed. */
  removeAfter(conversationId: string, seq: number): boolean {
    const writes = this.#writes;
    const after = Math.max(0, seq);
    writes.removeMessages.run(conversationId, after);
    writes.removeSnapshots.run(conversationId, after);
    writes.removeTimelineChunks.run(conversationId, after);
    writes.removeEvents.run(conversationId, after);
    if (after === 0) writes.endFork.run(conversationId);
    return after === 0;
  }

  /** The current entry, without a value if it was deleted; null if there never was one. */
  agentState(agentId: string, key: string): AgentStateRow | null {
    return this.#writes.agentState.get(agentId, key) ?? null;
  }

  /** Who may append to a top-level run; null where no replica ever held it. */
  runOwner(runId: string): RunOwnerRow | null {
    return this.#writes.runOwner.get(runId) ?? null;
  }

  saveRunOwner(runId: string, { key, fence, decided, ready }: RunOwnerRow): void {
    this.#writes.saveRunOwner.run(runId, key, fence, decided, ready);
  }

  /** The current confirmation, with the id of its request event; null if there is none. */
  confirmation(id: string): AskedConfirmation | null {
    return this.#writes.confirmation.get(id) ?? null;
  }

  /** Saves a snapshot unless its conversation was erased since `epoch`. */
  saveSnapshot(
    conversationId: string,
    seq: number,
    { reducerVersion, session, epoch }: { reducerVersion: number; session: Uint8Array; epoch: number },
  ): void {
    if (this.#erasing.isOld(conversationId, epoch)) return;
    this.#writes.saveSnapshot.run(conversationId, seq, reducerVersion, session);
  }

  /** Saves a timeline chunk unless its conversation was erased since `epoch`. */
  saveTimelineChunk(conversationId: string, { seq, holds, buckets, standing }: StoredChunk, epoch: number): void {
    if (this.#erasing.isOld(conversationId, epoch)) return;
    this.#writes.saveTimelineChunk.run(conversationId, seq, CHUNK_VERSION, holds, buckets, standing);
  }

  /**
   * Adds texts to the search index and saves its position (E14). Adds none if one of their conversations was erased
   * since `epoch`, or may have been renamed since: they must be read again.
   */
  saveSearched({ documents, position, history, isPartial }: Unsearched, epoch: number): void {
    if (isPartial && this.#erasing.epoch() !== epoch) return;
    if (documents.some(({ place }) => this.#erasing.isOld(conversationOf(place), epoch))) return;
    for (const { place, text } of documents) this.#writes.insertSearched.run(place, text);
    this.#writes.saveSearchProgress.run(position, history);
  }

  /** Applies the staged changes to the transaction. */
  #keep(): void {
    this.#head = this.#staged.head;
    for (const [id, row] of this.#staged.rows) this.#rows.set(id, row);
    for (const one of this.#staged.recorded) this.recorded.push(one);
    this.#staged = this.#stage();
  }

  #stage(): Staged {
    return { head: this.#head, rows: new Map(), recorded: [] };
  }

  #row(id: string): Row | null {
    const known = this.#staged.rows.get(id) ?? this.#rows.get(id) ?? this.#read.get(id);
    if (known) return known;
    const stored = this.#writes.conversation.get(id);
    if (!stored) return null;
    const row = { position: stored.position, summary: JSON.parse(stored.summary) };
    this.#read.set(id, row);
    return row;
  }

  #timeOf({ occurred_at }: NewEvent): number {
    return occurred_at === null ? this.recordedAt : toMs(occurred_at);
  }

  #store(
    event: NewEvent,
    circumstances: Circumstances,
    { stored: made, ...how }: Pick<Made, "beginsFork" | "refusesFirst"> & { stored?: StoredPayload | undefined } = {},
  ): Appended {
    const { occurredAt, recordedAt, by } = circumstances;
    const row = this.#rowOf(event);
    const { payload, text, value } = made ?? storedPayload(event, this.#redact);
    const stored: SessionEvent = {
      id: event.id,
      conversation_id: event.conversation_id,
      ...this.#placeOf(event, row),
      type: event.type,
      actor: event.actor,
      agent_id: event.agent_id,
      run_id: event.run_id,
      parent_run_id: event.parent_run_id,
      caused_by: event.caused_by,
      payload,
      occurred_at: occurredAt === null ? null : this.#iso(occurredAt),
      recorded_at: this.#iso(recordedAt),
      recorded_by: by,
    };
    return this.#write(stored, circumstances, { row, text, value, columns: indexColumnsOf(stored), ...how });
  }

  /** The row of the event's conversation; null where there is none. Throws `Conflict` where it is being erased. */
  #rowOf({ conversation_id }: Pick<NewEvent, "conversation_id">): Row | null {
    if (conversation_id === null) return null;
    this.#refuseClosed(conversation_id);
    const row = this.#row(conversation_id);
    if (row === null) this.#import.giveWay(conversation_id);
    return row;
  }

  #placeOf({ conversation_id }: Pick<NewEvent, "conversation_id">, row: Row | null): { seq: number; position: number } {
    return {
      seq: conversation_id === null ? 0 : (row?.summary.last_seq ?? 0) + 1,
      position: this.#staged.head + 1,
    };
  }

  #write(stored: SessionEvent, circumstances: Circumstances, made: Made): Appended {
    const { by } = circumstances;
    const { row, text, value, columns, insert = this.#writes.insertEvent, refusesFirst = false } = made;
    const write = () => insertEvent(insert, stored, circumstances, text, columns);
    if (refusesFirst) this.#refuse(stored, by, made);
    if (!write() && !(this.#import.giveWayTo(stored) && write())) return this.#duplicate(stored);
    if (!refusesFirst) this.#refuse(stored, by, made);
    if (by === "engine") noteUsage(this.#writes, stored);
    project(this.#writes, stored, value);
    this.#takeBookmark(stored);
    this.#staged.head = stored.position;
    if (this.collects) this.#staged.recorded.push({ event: stored, size: text.length });
    if (stored.conversation_id !== null) {
      addToSummary(this.#stagedSummary(stored.conversation_id, row, stored.position), stored, columns);
      if (stored.seq % SNAPSHOT_EVERY === 0) this.ripe.add(stored.conversation_id);
    }
    return {
      id: stored.id,
      conversation_id: stored.conversation_id,
      seq: stored.seq,
      position: stored.position,
      duplicate: false,
    };
  }

  /** Throws `Conflict`, or `TakenOver`, for an event that must not be appended. */
  #refuse(stored: SessionEvent, by: Recorder, { row, beginsFork = false }: Made): void {
    if (by === "engine") this.#checkOwn(stored, row?.summary.taken_over ?? null);
    else {
      this.#ownRuns.refuse(stored);
      if (!beginsFork) refuseForkClaims(stored, row !== null);
      if (by === "program" && row) {
        refuseAnotherOwner(stored, row.summary);
        if (row.summary.forked_from && !this.#isProgramsFork(stored)) refuseInFork(stored);
      }
    }
    refuseTakenConfirmation(this.#writes, stored);
    refuseTooFewApprovals(this.#writes, stored, by);
  }

  /** The summary as this request changes it: a copy, made once, so that a request that fails leaves the others' as it is. */
  #stagedSummary(conversationId: string, row: Row | null, position: number): Summary {
    const staged = this.#staged.rows.get(conversationId);
    if (staged) return staged.summary;
    const summary = row ? copyOf(row.summary) : emptySummary();
    this.#staged.rows.set(conversationId, { position: row?.position ?? position, summary });
    return summary;
  }

  #refuseLostFork(id: string | null): void {
    if (id === null || this.#writes.ownsFork.get(id) === undefined)
      throw new Error("The fork was removed meanwhile, because its connection was lost; fork again");
  }

  #refuseClosed(conversationId: string): void {
    if (this.#erasing.isClosed(conversationId))
      throw new Conflict(`The conversation ${conversationId} is being erased; retry when it is done`);
  }

  /**
   * Clients of older versions set bookmarks by events. On arrival only: a rebuild does not restore removed bookmarks.
   */
  #takeBookmark(event: SessionEvent): void {
    const done = event.conversation_id === null ? null : bookmarkingOf(event);
    if (event.conversation_id === null || !done) return;
    if (done.bookmark) this.annotations.saveBookmark(event.conversation_id, done.bookmark);
    else this.annotations.removeBookmark(event.conversation_id, done.seq);
  }

  #iso(ms: number): string {
    return ms === this.recordedAt ? this.#recordedIso : toIso(ms);
  }

  /** Whether the event belongs to a fork recorded by a program, not by a person here. */
  #isProgramsFork({ conversation_id }: SessionEvent): boolean {
    return conversation_id !== null && this.#writes.forkedBy.get(conversation_id) === null;
  }

  #checkOwn(event: SessionEvent, takenOver: TakenOver | null): void {
    if (takenOver) refuseSpeech(event, takenOver);
    this.#ownRuns.note(event);
    refuseSecondUse(this.#writes, event);
  }

  #duplicate(event: Pick<NewEvent, "id" | "conversation_id">): Appended {
    const first = this.#writes.eventById.get(event.id);
    if (!first) throw new Error(`The event ${event.id} was refused as a duplicate, but it is not there`);
    if (first.conversation_id !== event.conversation_id)
      throw new Conflict(`The event id ${event.id} exists in another conversation; use another id`);
    return {
      id: event.id,
      conversation_id: event.conversation_id,
      seq: first.seq,
      position: first.position,
      duplicate: true,
    };
  }
}

/** When another log, or another conversation, recorded the event. */
function recordedBefore({ occurred_at, recorded_at, recorded_by = "import" }: SessionEvent): Circumstances {
  const occurredAt = occurred_at === null ? null : toMs(occurred_at);
  return { occurredAt, recordedAt: toMs(recorded_at), by: recorded_by };
}
