import { randomUUID } from "node:crypto";
import type { ExportedNote, NewNote, Note } from "../../lib/notes/note.ts";
import { type QueueItem, UNTOUCHED } from "../../lib/queue/queue.ts";
import type { Judgement } from "../../lib/scores/judge.ts";
import type { NewScore, Score } from "../../lib/scores/score.ts";
import { type Bookmark, redactNote } from "../../lib/session/bookmarks.ts";
import type { Redact } from "../payload/stored-payload.ts";
import { toBookmark } from "../queries/bookmark-row.ts";
import { toQueueItem, toQueueRow } from "../queries/queue-row.ts";
import { scoreValues } from "../queries/score-row.ts";
import { toMs } from "../times.ts";
import type { Writes } from "./writes.ts";

/**
 * What people and evaluators add to conversations beside the log: bookmarks, scores, notes, the place in the queue. Texts are
 * redacted before they are saved. Saving throws `Conflict` while the conversation is being erased.
 */
export class Annotations {
  readonly #writes: Writes;
  readonly #redact: Redact;
  readonly #recordedAt: number;
  readonly #refuseClosed: (conversationId: string) => void;
  #isScored = false;

  /** `refuseClosed` throws where the conversation is being erased. */
  constructor(
    writes: Writes,
    { redact, recordedAt, refuseClosed }: { redact: Redact; recordedAt: number; refuseClosed(id: string): void },
  ) {
    this.#writes = writes;
    this.#redact = redact;
    this.#recordedAt = recordedAt;
    this.#refuseClosed = refuseClosed;
  }

  /** Whether scores have changed, which the rollup has to count again. */
  get isScored(): boolean {
    return this.#isScored;
  }

  /** The bookmark of a step; null for none. */
  bookmark(conversationId: string, seq: number): Bookmark | null {
    const row = this.#writes.bookmark.get(conversationId, seq);
    return row ? toBookmark(row) : null;
  }

  /** A bookmark with a redacted note. */
  redactedBookmark(bookmark: Bookmark): Bookmark {
    return { ...bookmark, note: redactNote(bookmark.note, this.#redact) };
  }

  /** Adds or changes a bookmark. Throws `Conflict` while the conversation is being erased. */
  saveBookmark(conversationId: string, { seq, note, by, at, set_seq }: Bookmark): void {
    this.#refuseClosed(conversationId);
    this.#writes.saveBookmark.run(conversationId, seq, note, by, toMs(at), set_seq);
  }

  /** Removes a bookmark; returns whether there was one. Throws as `saveBookmark`. */
  removeBookmark(conversationId: string, seq: number): boolean {
    this.#refuseClosed(conversationId);
    return this.#writes.removeBookmark.run(conversationId, seq).changes > 0;
  }

  /** A score with a redacted comment, and a redacted category. */
  redactedScore<T extends NewScore>(score: T): T {
    const { comment, value } = score;
    const text = typeof value === "string" ? redactNote(value, this.#redact) : null;
    return { ...score, comment: redactNote(comment, this.#redact), value: text ?? value };
  }

  /** Adds a score, or replaces that of the same author; `judgement`: how a model came to it. Throws `Conflict` while the conversation is being erased. */
  saveScore(conversationId: string, score: NewScore & Pick<Score, "at">, judgement: Judgement | null = null): Score {
    this.#refuseClosed(conversationId);
    const detail = judgement && {
      ...judgement,
      prompt: redactNote(judgement.prompt, this.#redact),
      answer: redactNote(judgement.answer, this.#redact),
    };
    const values = scoreValues(conversationId, score, detail && JSON.stringify(detail));
    this.#writes.saveScore.run(...values);
    this.#markScored(conversationId);
    return { ...score, id: values[1] };
  }

  /** Removes a score. Throws as `saveScore`. */
  removeScore(conversationId: string, id: string): void {
    this.#refuseClosed(conversationId);
    this.#writes.removeScore.run(conversationId, id);
    this.#markScored(conversationId);
  }

  #markScored(conversationId: string): void {
    this.#writes.markScored.run(conversationId);
    this.#isScored = true;
  }

  /** What people do about a conversation; that of an untouched one for none. */
  queueItem(conversationId: string): QueueItem {
    const row = this.#writes.queued.get(conversationId);
    return row ? toQueueItem(row) : UNTOUCHED;
  }

  /** Throws `Conflict` while the conversation is being erased. */
  saveQueueItem(conversationId: string, item: QueueItem): void {
    this.#refuseClosed(conversationId);
    const { assignee, due_at, snoozed_until, resolved_at, tags } = toQueueRow(item);
    this.#writes.saveQueued.run(conversationId, assignee, due_at, snoozed_until, resolved_at, tags);
  }

  /** A note with a redacted text. */
  redactedNote<T extends NewNote>(note: T): T {
    return { ...note, text: redactNote(note.text, this.#redact) ?? note.text };
  }

  /** Adds a note, under a new id. Throws `Conflict` while the conversation is being erased. */
  saveNote(conversationId: string, note: ExportedNote): Note {
    this.#refuseClosed(conversationId);
    const id = randomUUID();
    const { seq, run_id, call_id, path, text, mentions, by, at } = note;
    const said = JSON.stringify(mentions);
    this.#writes.saveNote.run(conversationId, id, seq, run_id, call_id, path, text, said, by, toMs(at));
    return { ...note, id };
  }

  /** Removes a note. Throws as `saveNote`. */
  removeNote(conversationId: string, id: string): void {
    this.#refuseClosed(conversationId);
    this.#writes.removeNote.run(conversationId, id);
  }

  /** Those whom a note mentions are to be notified. */
  notifyMentions(noteId: string): void {
    this.#writes.notifyMentions.run(`mention:${noteId}`, this.#recordedAt);
  }

  /** Keeps a score, as JSON, whose conversation may not be there yet. */
  keepScore(id: string, target: string, content: string): void {
    this.#writes.keepScore.run(id, target, this.#recordedAt, content);
  }

  dropKeptScore(id: string): void {
    this.#writes.dropKeptScore.run(id);
  }
}
