import { describe, expect, test } from "vitest";
import type { NewNote } from "../../../lib/notes/note.ts";
import { eachTime, type MakeSubject, newEvents } from "../subject.ts";

function note(more: Partial<NewNote> = {}): NewNote {
  const whole = { seq: null, run_id: null, call_id: null, path: null };
  return { ...whole, text: "The charge is in EUR", mentions: [], by: "operator:anna", ...more };
}

/** The contract of `NoteStore`, and of notifications of mentions. */
export function notesContract(make: MakeSubject): void {
  describe("Notes", () => {
    const subject = eachTime(make);

    test("are kept beside the log, counted in the list, and removed by id, once", async () => {
      const { log, notes, events } = subject().storage;
      await log.append(newEvents("c", 3));
      const head = await events.head();
      const first = await notes.add("c", note());
      await notes.add("c", note({ seq: 2, path: "†state.order", mentions: ["boris"], by: "operator:boris" }));
      await subject().reopen();
      const { storage } = subject();
      const listed = await storage.notes.list("c");
      expect(listed).toHaveLength(2);
      // In no order where both are of one millisecond.
      expect(listed).toEqual(
        expect.arrayContaining([
          first,
          expect.objectContaining({ seq: 2, path: "†state.order", mentions: ["boris"], by: "operator:boris" }),
        ]),
      );
      expect((await storage.conversations.get("c"))?.note_count).toBe(2);
      expect(await storage.events.head()).toBe(head);
      expect(await subject().faults()).toEqual([]);
      expect(await storage.notes.remove("c", first?.id ?? "")).toEqual(first);
      expect(await storage.notes.remove("c", first?.id ?? "")).toBeNull();
      expect(await storage.notes.list("c")).toHaveLength(1);
    });

    test("are refused for unknown conversations and steps", async () => {
      const { log, notes } = subject().storage;
      expect(await notes.list("c")).toBeNull();
      expect(await notes.add("c", note())).toBeNull();
      await log.append(newEvents("c", 1));
      await expect(notes.add("c", note({ seq: 2 }))).rejects.toMatchObject({ code: "out_of_range", last: 1 });
    });

    test("Inform: mentions are notified once by each channel, and not after the note was removed", async () => {
      const { log, notes, notices } = subject().storage;
      await log.append(newEvents("c", 3));
      await notices.follow("mail");
      await notes.add("c", note());
      const later = Date.now() + 1_000;
      expect(await notices.take("mail", later, "none")).toBeNull();
      const written = await notes.add("c", note({ seq: 2, mentions: ["boris"] }));
      const taken = await notices.take("mail", later, "one");
      expect(taken).toMatchObject({
        counts: { confirmation: 0, alert: 0, mention: 1, rule: 0 },
        notices: [
          {
            ...{ kind: "mention", id: written?.id, conversation_id: "c", method: null, text: "The charge is in EUR" },
            mention: { names: ["boris"], by: "operator:anna", seq: 2 },
          },
        ],
      });
      await notices.sent("mail", "one", { at: later, again: later, most: 3 });
      expect(await notices.take("mail", later, "reminder")).toBeNull();
      const gone = await notes.add("c", note({ mentions: ["boris"] }));
      await notes.remove("c", gone?.id ?? "");
      expect(await notices.take("mail", later, "two")).toBeNull();
    });

    test("are imported with the conversation, under new ids and without notifications", async () => {
      const { log, notes, notices } = subject().storage;
      await notices.follow("mail");
      const at = "2026-01-01T00:00:00.000Z";
      const source = [
        { conversation_id: "i", events: newEvents("i", 2), notes: [{ ...note({ mentions: ["x"] }), at }] },
      ];
      await log.importConversations(from(source), new AbortController().signal);
      expect(await notes.list("i")).toMatchObject([{ text: "The charge is in EUR", at, id: expect.any(String) }]);
      expect(await notices.take("mail", Date.now() + 1_000, "n")).toBeNull();
    });
  });
}

async function* from<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}
