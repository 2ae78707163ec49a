/** What a note is about. All null: the whole conversation. `call_id` is that of a call of the run; `path` is one of the state. */
export interface NotePlace {
  seq: number | null;
  run_id: string | null;
  call_id: string | null;
  path: string | null;
}

/** What somebody writes about a conversation to others. It is not part of the log. */
export interface NewNote extends NotePlace {
  text: string;
  /** The names of the users that it mentions. */
  mentions: string[];
  by: string | null;
}

export interface Note extends NewNote {
  id: string;
  /** ISO 8601. */
  at: string;
}

/** A note in a file: its id is of the server that it comes from. */
export type ExportedNote = Omit<Note, "id">;

export const LONGEST_NOTE_TEXT = 4_000;
/** Of a path of the state. */
export const LONGEST_PATH = 2_000;
/** Notes of a conversation. */
export const MOST_NOTES = 1_000;

/** The parts of a text, those that mention somebody marked with the name: `@` and a name, to its end or before a sign. */
export function mentionParts(text: string, people: readonly string[]): { text: string; name: string | null }[] {
  // The longest first: one name may begin like another.
  const names = people
    .toSorted((a, b) => b.length - a.length)
    .map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (names.length === 0) return text === "" ? [] : [{ text, name: null }];
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])@(${names.join("|")})(?![\\p{L}\\p{N}_])`, "gu");
  const parts: { text: string; name: string | null }[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index), name: null });
    parts.push({ text: match[0], name: match[1] ?? null });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), name: null });
  return parts;
}

/** The users that a text mentions, each once. */
export function mentionsIn(text: string, people: readonly string[]): string[] {
  return [...new Set(mentionParts(text, people).flatMap(({ name }) => name ?? []))];
}
