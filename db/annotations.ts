import type { NewNote, Note } from "../lib/notes/note.ts";
import type { QueueChange, QueueView } from "../lib/queue/queue.ts";
import type { ReviewedScore } from "../lib/scores/agreement.ts";
import type { Judgement } from "../lib/scores/judge.ts";
import type { NewScore, Score } from "../lib/scores/score.ts";
import type { Bookmark } from "../lib/session/bookmarks.ts";

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
