import { isKnown, type SessionEvent } from "./event.ts";
import type { Json } from "./json/json.ts";

/** A bookmark of a step, with a note. It is not part of the log: a note about a session is not a step of it. */
export interface Bookmark {
  seq: number;
  note: string | null;
  /** Who set it or wrote the note last, and when. */
  by: string | null;
  at: string;
  /** The session's last step at that time. */
  set_seq: number;
}

/** The maximum length of a note. */
export const LONGEST_NOTE = 2_000;

/**
 * Whether an event only sets a bookmark, as older versions and clients do. It does not count as activity of the
 * conversation.
 */
export function isBookmarking(type: string): boolean {
  return type === "conversation.bookmarked" || type === "conversation.unbookmarked";
}

/**
 * The effect of an event on bookmarks: the step and its bookmark; null for none. A step cannot be bookmarked before it
 * exists.
 */
export function bookmarkingOf(event: SessionEvent): { seq: number; bookmark: Bookmark | null } | null {
  if (!isKnown(event)) return null;
  if (event.type === "conversation.unbookmarked") return { seq: event.payload.seq, bookmark: null };
  if (event.type !== "conversation.bookmarked" || event.payload.seq > event.seq) return null;
  const { seq, note } = event.payload;
  const at = event.occurred_at ?? event.recorded_at;
  return { seq, bookmark: { seq, note: note ?? null, by: event.actor, at, set_seq: event.seq } };
}

/** The bookmarks after these events, by step. */
export function bookmarksOf(events: Iterable<SessionEvent>): Bookmark[] {
  const bookmarks = new Map<number, Bookmark>();
  for (const event of events) {
    const done = bookmarkingOf(event);
    if (done?.bookmark) bookmarks.set(done.seq, done.bookmark);
    else if (done) bookmarks.delete(done.seq);
  }
  return [...bookmarks.values()].sort((a, b) => a.seq - b.seq);
}

/** A redacted note. */
export function redactNote(note: string | null, redact: (value: Json) => Json): string | null {
  const left = note === null ? null : redact(note);
  return typeof left === "string" ? left : null;
}
