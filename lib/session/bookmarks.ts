import { isKnown, type SessionEvent } from "./event.ts";
import type { Json } from "./json/json.ts";

/** A step that somebody has marked, with a note. It stands beside the log: a note about a session is no step of it. */
export interface Bookmark {
  seq: number;
  note: string | null;
  /** Who marked it or wrote the note last, and when. */
  by: string | null;
  at: string;
  /** The session's last step at that time. */
  set_seq: number;
}

/** How long a note may be. */
export const LONGEST_NOTE = 2_000;

/**
 * Tells whether an event only marks a step, as older versions and clients of theirs write it. Nothing has happened by it:
 * it changes neither the list's order nor the activity.
 */
export function isBookmarking(type: string): boolean {
  return type === "conversation.bookmarked" || type === "conversation.unbookmarked";
}

/**
 * What an event does to the bookmarks of its conversation: the step, and its bookmark from then on; null for nothing. A step
 * cannot be marked before it is there.
 */
export function bookmarkingOf(event: SessionEvent): { seq: number; bookmark: Bookmark | null } | null {
  if (!isKnown(event)) return null;
  if (event.type === "conversation.unbookmarked") return { seq: event.payload.seq, bookmark: null };
  if (event.type !== "conversation.bookmarked" || event.payload.seq > event.seq) return null;
  const { seq, note } = event.payload;
  const at = event.occurred_at ?? event.recorded_at;
  return { seq, bookmark: { seq, note: note ?? null, by: event.actor, at, set_seq: event.seq } };
}

/** The steps that are bookmarked after these events, in the steps' order. */
export function bookmarksOf(events: Iterable<SessionEvent>): Bookmark[] {
  const bookmarks = new Map<number, Bookmark>();
  for (const event of events) {
    const done = bookmarkingOf(event);
    if (done?.bookmark) bookmarks.set(done.seq, done.bookmark);
    else if (done) bookmarks.delete(done.seq);
  }
  return [...bookmarks.values()].sort((a, b) => a.seq - b.seq);
}

/** A note without what `redact` takes out of texts. */
export function redactNote(note: string | null, redact: (value: Json) => Json): string | null {
  const left = note === null ? null : redact(note);
  return typeof left === "string" ? left : null;
}
