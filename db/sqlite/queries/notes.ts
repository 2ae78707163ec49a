import type { LogWriter } from "../../log/log-writer.ts";
import { createNoteStore } from "../../log/note-store.ts";
import { NOTE_COLUMNS, type NoteRow, toNote } from "../../queries/note-row.ts";
import type { NoteStore } from "../../repositories.ts";
import type { Connection } from "../connection.ts";

/** Notes in SQLite; they are written in the writer's transactions. */
export function createNotes(reading: Connection, writer: LogWriter): NoteStore {
  const exists = reading.prepare<[string], 1>("SELECT 1 FROM conversations WHERE id = ?").pluck();
  const list = reading.prepare<[string], NoteRow>(
    `SELECT ${NOTE_COLUMNS} FROM notes WHERE conversation_id = ? ORDER BY at, id`,
  );
  return createNoteStore(writer, async (id) => (exists.get(id) === undefined ? null : list.all(id).map(toNote)));
}
