import { MOST_NOTES, type Note } from "../../lib/notes/note.ts";
import { Conflict, OutOfRange } from "../errors.ts";
import type { NoteStore } from "../repositories.ts";
import { toIso } from "../times.ts";
import type { LogWriter } from "./log-writer.ts";

/** What a storage reads of notes: oldest first. Null: the conversation does not exist. */
export type ReadNotes = (conversationId: string) => Promise<Note[] | null>;

/** Notes, which are written in the transactions of the log. */
export function createNoteStore(writer: LogWriter, list: ReadNotes): NoteStore {
  return {
    list,
    async add(conversationId, note) {
      const known = await list(conversationId);
      if (!known) return null;
      if (known.length >= MOST_NOTES)
        throw new Conflict(`The conversation ${conversationId} has ${MOST_NOTES} notes; remove some first`);
      return writer.submit((transaction) => {
        const summary = transaction.summary(conversationId);
        if (!summary) return null;
        const { last_seq } = summary;
        if (note.seq !== null && note.seq > last_seq)
          throw new OutOfRange(`The session has steps 0 to ${last_seq}; write about one of them`, last_seq, "seq");
        const at = toIso(transaction.recordedAt);
        const saved = transaction.annotations.saveNote(conversationId, {
          ...transaction.annotations.redactedNote(note),
          at,
        });
        if (saved.mentions.length > 0) transaction.annotations.notifyMentions(saved.id);
        return saved;
      });
    },
    async remove(conversationId, id) {
      const known = (await list(conversationId))?.find((note) => note.id === id);
      if (!known) return null;
      return writer.submit((transaction) => {
        transaction.annotations.removeNote(conversationId, id);
        return known;
      });
    },
  };
}
