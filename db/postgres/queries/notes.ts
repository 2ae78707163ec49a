import type { LogWriter } from "../../log/log-writer.ts";
import { createNoteStore } from "../../log/note-store.ts";
import { NOTE_COLUMNS, type NoteRow, toNote } from "../../queries/note-row.ts";
import type { NoteStore } from "../../repositories.ts";
import type { Queries } from "../database.ts";
import { exists } from "./select.ts";

export function createNotes(queries: Queries, writer: LogWriter): NoteStore {
  return createNoteStore(writer, async (id) => {
    if (!(await exists(queries, id))) return null;
    const rows = await queries.rows<NoteRow>(
      `SELECT ${NOTE_COLUMNS} FROM notes WHERE conversation_id = $1 ORDER BY at, id`,
      [id],
    );
    return rows.map(toNote);
  });
}
