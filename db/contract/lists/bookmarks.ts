import { describe, expect, test } from "vitest";
import type { Bookmark } from "../../../lib/session/bookmarks.ts";
import type { Fork, NewEvent } from "../../repositories.ts";
import { eachTime, type MakeSubject, newEvent, newEvents } from "../subject.ts";

const ANNA = "operator:anna";
const MARK: Bookmark = { seq: 2, note: "look", by: ANNA, at: "2026-01-01T00:00:00.000Z", set_seq: 2 };

/** The contract of `BookmarkStore`, and of `Log` with bookmarks. */
export function bookmarksContract(make: MakeSubject): void {
  describe("Bookmarks", () => {
    const subject = eachTime(make);
    const never = new AbortController().signal;

    test("C5: are set, changed and deleted without changing the log", async () => {
      const { log, bookmarks, conversations, events } = subject().storage;
      await log.append(newEvents("c", 3));
      const before = [await conversations.get("c"), await events.head()];
      const put = (seq: number, note: string | null) => bookmarks.put("c", { seq, note, by: ANNA });
      expect(await put(2, "look")).toMatchObject({
        changed: true,
        bookmark: { ...MARK, at: expect.any(String), set_seq: 3 },
      });
      expect(await put(2, "look")).toMatchObject({ changed: false, bookmark: { note: "look" } });
      await put(1, null);
      expect(await put(2, "there")).toMatchObject({ changed: true });
      expect(await bookmarks.list("c")).toMatchObject([
        { seq: 1, note: null },
        { seq: 2, note: "there", by: ANNA },
      ]);
      expect(await bookmarks.remove("c", 1)).toEqual({ removed: true });
      expect(await bookmarks.remove("c", 1)).toEqual({ removed: false });
      await subject().reopen();
      const { storage } = subject();
      expect(await storage.bookmarks.list("c")).toMatchObject([{ seq: 2 }]);
      expect([await storage.conversations.get("c"), await storage.events.head()]).toEqual(before);
    });

    test("C5: cannot be set for an unknown conversation or a step that does not exist", async () => {
      const { log, bookmarks } = subject().storage;
      expect(await bookmarks.list("c")).toBeNull();
      expect(await bookmarks.put("c", MARK)).toBeNull();
      expect(await bookmarks.remove("c", 2)).toBeNull();
      await log.append(newEvents("c", 1));
      await expect(bookmarks.put("c", MARK)).rejects.toMatchObject({ code: "out_of_range", last: 1 });
      await expect(bookmarks.remove("c", 2)).rejects.toMatchObject({ code: "out_of_range", last: 1 });
    });

    test("C5: are set by events of older clients on arrival, once, and never for a later step", async () => {
      const { log, bookmarks } = subject().storage;
      const marking = (id: string, type: string, payload: NewEvent["payload"]) =>
        newEvent({ id, type: `conversation.${type}`, actor: ANNA, payload });
      const events = [newEvent({ id: "e" }), marking("b", "bookmarked", { seq: 1, note: "old" })];
      await log.append([...events, marking("later", "bookmarked", { seq: 9 })]);
      expect(await bookmarks.list("c")).toMatchObject([{ seq: 1, note: "old", by: ANNA, set_seq: 2 }]);
      await bookmarks.remove("c", 1);
      await log.append(events);
      expect(await bookmarks.list("c")).toEqual([]);
      await bookmarks.put("c", { seq: 2, note: null, by: null });
      await log.append([marking("u", "unbookmarked", { seq: 2 })]);
      expect(await bookmarks.list("c")).toEqual([]);
    });

    test("C5: are imported and forked with the conversation, whatever its events say", async () => {
      const { log, bookmarks } = subject().storage;
      const events = newEvents("i", 2);
      await log.importConversations(from([{ conversation_id: "i", events, bookmarks: [MARK] }]), never);
      expect(await bookmarks.list("i")).toEqual([MARK]);
      // Existing conversations are not changed.
      await log.importConversations(from([{ conversation_id: "i", events, bookmarks: [] }]), never);
      expect(await bookmarks.list("i")).toEqual([MARK]);
      const recorded_at = MARK.at;
      const marked = { type: "conversation.bookmarked", payload: { seq: 1 } };
      const fork: Fork = {
        ...{ conversation_id: "f", length: 2, bookmarks: [MARK] },
        history: from([
          [
            newEvent({ id: "f:1", conversation_id: "f", recorded_at }),
            newEvent({ id: "f:2", conversation_id: "f", recorded_at, ...marked }),
          ],
        ]),
        beginning: () => [newEvent({ id: "f:3", conversation_id: "f", type: "conversation.created", payload: {} })],
      };
      await log.fork(fork, never);
      expect(await bookmarks.list("f")).toEqual([MARK]);
    });
  });
}

async function* from<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}
