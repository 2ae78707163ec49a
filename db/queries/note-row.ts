import { z } from "zod";
import type { Note } from "../../lib/notes/note.ts";
import { toIso } from "../times.ts";

/** A note as the table has it: the mentions as JSON, the time in epoch ms. */
export interface NoteRow extends Omit<Note, "mentions" | "at"> {
  mentions: string;
  at: number;
}

/** The values of a row, in the order of the table's columns. */
export type NoteValues = [
  conversation_id: string,
  id: string,
  seq: number | null,
  run_id: string | null,
  call_id: string | null,
  path: string | null,
  text: string,
  mentions: string,
  by: string | null,
  at: number,
];

export const NOTE_COLUMNS = "id, seq, run_id, call_id, path, text, mentions, by, at";

const names = z.array(z.string());

export function toNote({ mentions, at, ...rest }: NoteRow): Note {
  return { ...rest, mentions: names.parse(JSON.parse(mentions)), at: toIso(at) };
}
