import { setImmediate } from "node:timers/promises";
import type { ExportedNote } from "../../lib/notes/note.ts";
import type { ExportedScore } from "../../lib/scores/score.ts";
import type { Bookmark } from "../../lib/session/bookmarks.ts";
import type { SessionEvent } from "../../lib/session/event.ts";
import type { Summary } from "../../lib/session/session.ts";
import { emptySummary, summarize } from "../../lib/session/summary/summary.ts";
import { Conflict } from "../errors.ts";
import type { Transaction } from "../log/transaction.ts";
import { changesWhatStands } from "../projections/projections.ts";
import type { NewEvent } from "../repositories.ts";
import { toIso, toMs } from "../times.ts";
import type { SpooledEvent } from "./spool.ts";

// How often the thread answers readers while a part is made visible.
const LONGEST_WORK_MS = 20;

/**
 * A part becomes visible in one transaction, for which other writes wait. It has so many conversations, entries beside them and
 * events of global projections, of 20 to 60 µs each, or one conversation.
 */
const PART_SIZE = 200;

/**
 * The positions between two parts, for what others append meanwhile: one group of their requests, which has some thousand events
 * at most.
 */
const ROOM_BETWEEN = 100_000;

/** A conversation of the import. `position` is that of its first event. */
interface Staged {
  id: string;
  position: number;
  summary: Summary;
  bookmarks: readonly Bookmark[];
  scores: readonly ExportedScore[];
  notes: readonly ExportedNote[];
  /** Positions of its events that say something beyond it; they say it when it becomes visible. */
  standing: number[];
  /** Where it begins a part: the position of the newest event before it. */
  after: number | null;
  /** The import has no earlier one of its id. */
  isFirst: boolean;
  /** `there`: it existed before and is unchanged. `gone`: others wrote to it meanwhile. */
  state: "staged" | "there" | "gone";
}

/** What becomes visible in one transaction. `last`: the position of its newest event; `next`: the first one of the next part. */
interface Part {
  conversations: readonly Staged[];
  last: number;
  next: number | null;
}

/** The result of a conversation. */
export interface Imported {
  conversation_id: string;
  created: boolean;
  events: number;
}

/** An import that is stored page by page and then made visible in parts of whole conversations (E11). */
export class StagedImport {
  readonly #recordedAt = toIso(Date.now());
  readonly #conversations: Staged[] = [];
  readonly #ids = new Set<string>();
  readonly #by: "import" | "program";
  #room = 0;
  /** Events taken from the pages, stored or not; the positions of the newest and of the next one; the size of the newest part. */
  #at = { taken: 0, last: 0, next: 0, size: 0 };

  /** `by`: the origin of its events. */
  constructor(by: "import" | "program") {
    this.#by = by;
  }

  /** Events taken from the pages so far, stored or not. */
  get taken(): number {
    return this.#at.taken;
  }

  /**
   * Remembers how it stands, for a page that may be added again: what this gives takes back what was added since. Only the last
   * conversation changes: there may be a hundred thousand before it.
   */
  mark(): () => void {
    const at = { ...this.#at };
    const count = this.#conversations.length;
    const current = this.#conversations.at(-1);
    const { summary, state, standing } = { ...current };
    const standingCount = standing?.length ?? 0;
    return () => {
      this.#at = { ...at };
      for (const { id, isFirst } of this.#conversations.splice(count)) if (isFirst) this.#ids.delete(id);
      if (!current) return;
      Object.assign(current, { summary, state });
      current.standing.length = standingCount;
    };
  }

  /**
   * Begins, `gap` positions above the log; false while another process stores an import. Without a gap nobody else may write
   * before it is visible.
   */
  begin(transaction: Transaction, gap: number): boolean {
    const first = transaction.beginImport(gap);
    this.#at.next = first ?? 0;
    this.#room = gap === 0 ? 0 : ROOM_BETWEEN;
    return first !== null;
  }

  /** Stores a page. A conversation continues from the previous page. */
  add(transaction: Transaction, page: readonly SpooledEvent[]): void {
    let current = this.#conversations.at(-1);
    if (current?.state === "staged" && !transaction.isStaged(current.id)) current.state = "gone";
    for (const event of page) {
      if (event.conversation_id === null) throw new Error("An imported event belongs to no conversation");
      if (current?.id !== event.conversation_id) current = this.#begin(transaction, event.conversation_id, event);
      if (current.state === "staged") this.#stage(transaction, current, event);
    }
    this.#at.taken += page.length;
  }

  /** What becomes visible one after the other; at least one. */
  *parts(): Generator<Part> {
    const conversations = this.#conversations;
    let from = 0;
    do {
      let to = from + 1;
      while (conversations[to]?.after === null) to += 1;
      const following = conversations[to];
      const last = following?.after ?? this.#at.last;
      yield { conversations: conversations.slice(from, to), last, next: following?.position ?? null };
      from = to;
    } while (from < conversations.length);
  }

  /** Makes a part visible, and returns the result of each conversation. */
  async show(transaction: Transaction, { conversations, last, next }: Part): Promise<Imported[]> {
    const pause = pauses();
    // All are asked for before one may be refused: Postgres reads together what a round has asked for.
    for (const { id } of conversations) {
      transaction.isStaged(id);
      transaction.summary(id);
    }
    const imported: Imported[] = [];
    for (const one of conversations) {
      const created = this.#show(transaction, one);
      imported.push({ conversation_id: one.id, created, events: created ? one.summary.last_seq : 0 });
      await pause();
    }
    for (const { standing } of conversations)
      for (const position of standing) {
        transaction.showEvent(position);
        await pause();
      }
    transaction.showImport(last, next);
    return imported;
  }

  #begin(transaction: Transaction, id: string, { bookmarks = [], scores = [], notes = [] }: SpooledEvent): Staged {
    const isFirst = !this.#ids.has(id);
    const state = isFirst && transaction.summary(id) === null ? "staged" : "there";
    const at = this.#at;
    const after = at.size < PART_SIZE ? null : at.last;
    if (after !== null) {
      at.next += this.#room;
      at.size = 0;
    }
    at.size += 1 + bookmarks.length + scores.length + notes.length;
    const beside = { bookmarks, scores, notes };
    const position = at.next;
    const next: Staged = { id, position, summary: emptySummary(), ...beside, standing: [], after, isFirst, state };
    this.#ids.add(id);
    this.#conversations.push(next);
    return next;
  }

  #stage(transaction: Transaction, conversation: Staged, event: NewEvent): void {
    const stored: SessionEvent = {
      id: event.id,
      conversation_id: conversation.id,
      seq: conversation.summary.last_seq + 1,
      position: this.#at.next,
      type: event.type,
      actor: event.actor,
      agent_id: event.agent_id,
      run_id: event.run_id,
      parent_run_id: event.parent_run_id,
      caused_by: event.caused_by,
      payload: transaction.redacted(event),
      occurred_at: event.occurred_at === null ? null : toIso(toMs(event.occurred_at)),
      recorded_at: event.recorded_at === undefined ? this.#recordedAt : toIso(toMs(event.recorded_at)),
      recorded_by: this.#by,
    };
    if (!transaction.stage(stored)) return;
    conversation.summary = summarize(conversation.summary, stored);
    if (changesWhatStands(stored)) {
      conversation.standing.push(stored.position);
      this.#at.size += 1;
    }
    this.#at.last = stored.position;
    this.#at.next += 1;
  }

  /** Whether the conversation is one of the import, and not of others. */
  #show(transaction: Transaction, { id, position, summary, bookmarks, scores, notes, state }: Staged): boolean {
    if (state === "staged" && transaction.isStaged(id)) {
      transaction.showConversation(id, position, summary);
      for (const bookmark of bookmarks)
        transaction.annotations.saveBookmark(id, transaction.annotations.redactedBookmark(bookmark));
      for (const note of notes) transaction.annotations.saveNote(id, transaction.annotations.redactedNote(note));
      for (const score of scores) transaction.annotations.saveScore(id, transaction.annotations.redactedScore(score));
      return true;
    }
    if (state !== "there" && transaction.summary(id) === null)
      throw new Conflict(
        `An event id of the conversation ${id} was used in another conversation meanwhile; import it again`,
      );
    return false;
  }
}

/** Yields to the event loop now and then. */
function pauses(): () => Promise<void> {
  let workEnds = performance.now() + LONGEST_WORK_MS;
  return async () => {
    if (performance.now() < workEnds) return;
    await setImmediate();
    workEnds = performance.now() + LONGEST_WORK_MS;
  };
}
