import { isKnown, type SessionEvent } from "./event.ts";

/** A step that somebody has marked, with a note. */
export interface Bookmark {
  seq: number;
  note: string | null;
  /** Who marked it or wrote the note last, and when. */
  by: string | null;
  at: string;
  /** The step by which it was marked, or its note written. */
  set_seq: number;
}

/** How long a note may be. */
export const LONGEST_NOTE = 2_000;

/**
 * Tells whether an event only marks a step. It is a step of the log like any other, but nothing has happened by it: it
 * changes neither the list's order nor the activity, and the playhead does not follow it.
 */
export function isBookmarking(type: string): boolean {
  return type === "conversation.bookmarked" || type === "conversation.unbookmarked";
}

/** The steps that are bookmarked after these events, in the steps' order. A step cannot be marked before it is there. */
export function bookmarksOf(events: Iterable<SessionEvent>): Bookmark[] {
  const bookmarks = new Map<number, Bookmark>();
  for (const event of events) {
    if (!isKnown(event)) continue;
    if (event.type === "conversation.unbookmarked") bookmarks.delete(event.payload.seq);
    else if (event.type === "conversation.bookmarked" && event.payload.seq <= event.seq) {
      const { seq, note } = event.payload;
      const at = event.occurred_at ?? event.recorded_at;
      bookmarks.set(seq, { seq, note: note ?? null, by: event.actor, at, set_seq: event.seq });
    }
  }
  return [...bookmarks.values()].sort((a, b) => a.seq - b.seq);
}
