import { setImmediate } from "node:timers/promises";
import type { ExportedScore } from "../../lib/scores/score.ts";
import type { Bookmark } from "../../lib/session/bookmarks.ts";
import type { SessionEvent } from "../../lib/session/event.ts";
import type { Summary } from "../../lib/session/session.ts";
import { emptySummary, summarize } from "../../lib/session/summary.ts";
import { Conflict } from "../errors.ts";
import type { Transaction } from "../log/transaction.ts";
import { changesWhatStands } from "../projections/projections.ts";
import type { NewEvent } from "../repositories.ts";
import { toIso, toMs } from "../times.ts";
import type { SpooledEvent } from "./spool.ts";

// How often the thread answers readers while the import is made visible.
const LONGEST_PART_MS = 20;

/** A conversation of the import. `position` is that of its first event. */
interface Staged {
  id: string;
  position: number;
  summary: Summary;
  bookmarks: readonly Bookmark[];
  /** The import has no earlier one of its id. */
  isFirst: boolean;
  scores: readonly ExportedScore[];
  /** `there`: it existed before and is unchanged. `gone`: others wrote to it meanwhile. */
  state: "staged" | "there" | "gone";
}

/** An import that is stored page by page and then made visible (E11). */
export class StagedImport {
  /** Events taken from the pages so far, stored or not. */
  taken = 0;
  readonly #recordedAt = toIso(Date.now());
  readonly #conversations: Staged[] = [];
  readonly #ids = new Set<string>();
  /** Positions of events that say something beyond their conversation; they say it at the end. */
  readonly #standing: number[] = [];
  readonly #by: "import" | "program";
  #next = 0;

  /** `by`: the origin of its events. */
  constructor(by: "import" | "program") {
    this.#by = by;
  }

  /**
   * Remembers how it stands, for a page that may be added again: what this gives takes back what was added since. Only the last
   * conversation changes: there may be a hundred thousand before it.
   */
  mark(): () => void {
    const [taken, next, standing, conversations] = [
      this.taken,
      this.#next,
      this.#standing.length,
      this.#conversations.length,
    ];
    const current = this.#conversations.at(-1);
    const { summary, state } = current ?? {};
    return () => {
      this.taken = taken;
      this.#next = next;
      this.#standing.length = standing;
      for (const { id, isFirst } of this.#conversations.splice(conversations)) if (isFirst) this.#ids.delete(id);
      if (current) Object.assign(current, { summary, state });
    };
  }

  /** Begins, `gap` positions above the log; false while another process stores an import. */
  begin(transaction: Transaction, gap: number): boolean {
    const first = transaction.beginImport(gap);
    this.#next = first ?? 0;
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
    this.taken += page.length;
  }

  /** Makes all of it visible, and returns the result of each conversation. */
  async end(transaction: Transaction, signal: AbortSignal) {
    const pause = pauses(signal);
    // All are asked for before one may be refused: Postgres reads together what a round has asked for.
    for (const { id } of this.#conversations) {
      transaction.isStaged(id);
      transaction.summary(id);
    }
    const shown: boolean[] = [];
    for (const one of this.#conversations) {
      shown.push(this.#show(transaction, one));
      await pause();
    }
    for (const position of this.#standing) {
      transaction.showEvent(position);
      await pause();
    }
    transaction.endImport(this.#next - 1);
    return this.#conversations.map(({ id, summary }, index) => ({
      conversation_id: id,
      created: shown[index] === true,
      events: shown[index] ? summary.last_seq : 0,
    }));
  }

  #begin(transaction: Transaction, id: string, { bookmarks = [], scores = [] }: SpooledEvent): Staged {
    const isFirst = !this.#ids.has(id);
    const state = isFirst && transaction.summary(id) === null ? "staged" : "there";
    const next: Staged = { id, position: this.#next, summary: emptySummary(), bookmarks, scores, isFirst, state };
    this.#ids.add(id);
    this.#conversations.push(next);
    return next;
  }

  #stage(transaction: Transaction, conversation: Staged, event: NewEvent): void {
    const stored: SessionEvent = {
      id: event.id,
      conversation_id: conversation.id,
      seq: conversation.summary.last_seq + 1,
      position: this.#next,
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
    if (changesWhatStands(stored)) this.#standing.push(stored.position);
    this.#next += 1;
  }

  /** Whether the conversation is one of the import, and not of others. */
  #show(transaction: Transaction, { id, position, summary, bookmarks, scores, state }: Staged): boolean {
    if (state === "staged" && transaction.isStaged(id)) {
      transaction.showConversation(id, position, summary);
      for (const bookmark of bookmarks) transaction.saveBookmark(id, transaction.redactedBookmark(bookmark));
      for (const score of scores) transaction.saveScore(id, transaction.redactedScore(score));
      return true;
    }
    if (state !== "there" && transaction.summary(id) === null)
      throw new Conflict(
        `An event id of the conversation ${id} was used in another conversation meanwhile; import it again`,
      );
    return false;
  }
}

/** Yields to the event loop now and then. Throws the signal's reason. */
function pauses(signal: AbortSignal): () => Promise<void> {
  let partEnds = performance.now() + LONGEST_PART_MS;
  return async () => {
    if (performance.now() < partEnds) return;
    await setImmediate();
    signal.throwIfAborted();
    partEnds = performance.now() + LONGEST_PART_MS;
  };
}
