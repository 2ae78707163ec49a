import { describe, expect, test } from "vitest";
import { Conflict } from "../errors.ts";
import type { NewEvent } from "../repositories.ts";
import { eachTime, type MakeSubject, newEvent, newEvents, newMessage } from "./subject.ts";

type Part = { conversation_id: string; events: NewEvent[] };

/** What every implementation of `Log.importConversations` does. */
export function importContract(make: MakeSubject): void {
  describe("Log.importConversations", () => {
    const subject = eachTime(make);
    const never = new AbortController().signal;

    test("E11: whole conversations come in; those that are there stay as they are", async () => {
      const { log, conversations, events } = subject().storage;
      await log.append([newEvent({ id: "old", conversation_id: "b" })]);
      const parts = () => from([part("a", 3), part("b", 2), part("c", 1)]);
      expect(await log.importConversations(parts(), never)).toEqual([
        { conversation_id: "a", created: true, events: 3 },
        { conversation_id: "b", created: false, events: 0 },
        { conversation_id: "c", created: true, events: 1 },
      ]);
      expect(await conversations.get("b")).toMatchObject({ event_count: 1 });
      expect((await events.list("a", { after: 0, limit: 9 })).map(({ id, seq }) => [id, seq])).toEqual([
        ["a-1", 1],
        ["a-2", 2],
        ["a-3", 3],
      ]);
      const again = await log.importConversations(parts(), never);
      expect(again.map(({ created }) => created)).toEqual([false, false, false]);
      expect(subject().commits).toEqual([1, 5]);
      expect(await events.head()).toBe(5);
      expect((await events.since(0, { limit: 9 })).map(({ id }) => id)).toEqual(["old", "a-1", "a-2", "a-3", "c-1"]);
    });

    test("E11: a conversation may come in parts, with any text", async () => {
      const { log, messages } = subject().storage;
      const text = "a\u2028b\nc\u0000†".repeat(500_000);
      const parts: Part[] = [
        part("a", 1),
        { conversation_id: "a", events: [newMessage("m", text, { conversation_id: "a" })] },
      ];
      expect(await log.importConversations(from(parts), never)).toEqual([
        { conversation_id: "a", created: true, events: 2 },
      ]);
      expect((await messages.list("a", { limit: 1 })).items[0]?.content).toBe(text);
    });

    test("E11: times stay as they came, absent ones absent", async () => {
      const { log, events, conversations } = subject().storage;
      const recorded = "2020-01-01T00:00:00.000Z";
      await log.importConversations(
        from([
          {
            conversation_id: "a",
            events: [
              newEvent({ id: "1", recorded_at: recorded }),
              newEvent({ id: "2", recorded_at: recorded, occurred_at: "2019-01-01T00:00:00.000Z" }),
            ],
          },
        ]),
        never,
      );
      expect(await events.list("a", { after: 0, limit: 9 })).toMatchObject([
        { occurred_at: null, recorded_at: recorded },
        { occurred_at: "2019-01-01T00:00:00.000Z", recorded_at: recorded },
      ]);
      expect(await conversations.get("a")).toMatchObject({ created_at: recorded, updated_at: recorded });
    });

    test("E11: nothing is seen of an import before its end, and writes that came meanwhile follow", async () => {
      const { log, conversations, events } = subject().storage;
      const gate = Promise.withResolvers<void>();
      async function* slow(): AsyncIterable<Part> {
        yield part("a", 2);
        await gate.promise;
        yield part("b", 2);
      }
      const imported = log.importConversations(slow(), never);
      await log.append(newEvents("meanwhile", 1));
      expect(await conversations.get("a")).toBeNull();
      gate.resolve();
      await imported;
      expect((await events.since(0, { limit: 9 })).map(({ id }) => id)).toEqual([
        "meanwhile-1",
        "a-1",
        "a-2",
        "b-1",
        "b-2",
      ]);
    });

    test("E11: an aborted import leaves nothing", async () => {
      const { log, events } = subject().storage;
      const controller = new AbortController();
      async function* aborting(): AsyncIterable<Part> {
        yield part("a", 2_000);
        controller.abort();
        yield part("b", 1);
      }
      await expect(log.importConversations(aborting(), controller.signal)).rejects.toThrow(/abort/i);
      expect(await events.head()).toBe(0);
      expect(await log.append(newEvents("a", 1))).toMatchObject([{ seq: 1, position: 1 }]);
    });

    test("E11: an import whose source fails leaves nothing and tells why", async () => {
      async function* failing(): AsyncIterable<Part> {
        yield part("a", 2);
        throw new Error("line 3 is no JSON");
      }
      await expect(subject().storage.log.importConversations(failing(), never)).rejects.toThrow("line 3 is no JSON");
      expect(await subject().storage.conversations.get("a")).toBeNull();
    });

    test("E2: an id that exists in another conversation stops the import, and nothing of it stays", async () => {
      const { log, conversations, events } = subject().storage;
      await log.append([newEvent({ id: "b-2", conversation_id: "other" })]);
      await expect(log.importConversations(from([part("a", 2), part("b", 2)]), never)).rejects.toBeInstanceOf(Conflict);
      expect(await conversations.get("a")).toBeNull();
      expect(await events.head()).toBe(1);
    });

    test("close: an import that is under way is given up", async () => {
      const { log } = subject().storage;
      const reached = Promise.withResolvers<void>();
      async function* endless(): AsyncIterable<Part> {
        yield part("a", 2);
        reached.resolve();
        await Promise.withResolvers<void>().promise;
      }
      const imported = expect(log.importConversations(endless(), never)).rejects.toThrow();
      await reached.promise;
      await subject().storage.close();
      await imported;
      await subject().reopen();
      expect(await subject().storage.events.head()).toBe(0);
    });
  });
}

function part(conversationId: string, count: number): Part {
  return { conversation_id: conversationId, events: newEvents(conversationId, count) };
}

async function* from(parts: Part[]): AsyncIterable<Part> {
  yield* parts;
}
