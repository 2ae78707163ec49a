import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Conflict } from "../../errors.ts";
import type { Appended } from "../../repositories.ts";
import { eachTime, type MakeSubject, newEvent, newEvents, newMessage } from "../subject.ts";

/** The contract of `Log.append` and `Log.createConversation`. */
export function logContract(make: MakeSubject): void {
  describe("Log", () => {
    const subject = eachTime(make);

    test("E2: events are numbered from 1 in their conversation and on the server", async () => {
      const { log } = subject().storage;
      const first = await log.append([...newEvents("a", 2), ...newEvents("b", 1)]);
      const second = await log.append([newEvent({ id: "x", conversation_id: "a" })]);
      expect(
        [...first, ...second].map(({ conversation_id, seq, position }) => [conversation_id, seq, position]),
      ).toEqual([
        ["a", 1, 1],
        ["a", 2, 2],
        ["b", 1, 3],
        ["a", 3, 4],
      ]);
    });

    test("E2: an event is returned as it was sent, with the whole payload", async () => {
      const { log, events } = subject().storage;
      const sent = newEvent({
        id: "e",
        type: "made.up",
        actor: "agent:admin",
        agent_id: "admin",
        run_id: "r",
        parent_run_id: "p",
        caused_by: "not yet there",
        payload: { text: "†".repeat(100_000), nested: [{ a: null }, 1.5, "\u2028"] },
        occurred_at: "2026-02-03T04:05:06.789+03:00",
      });
      await log.append([sent]);
      const [stored] = await events.list("c", { after: 0, limit: 10 });
      expect(stored).toMatchObject({ ...sent, occurred_at: "2026-02-03T01:05:06.789Z", seq: 1, position: 1 });
    });

    test("E2: an event without a time gets the time of recording", async () => {
      const { log, events } = subject().storage;
      await log.append([newEvent({ id: "e" })]);
      const [stored] = await events.list("c", { after: 0, limit: 1 });
      expect(stored?.occurred_at).toBe(stored?.recorded_at);
      expect(stored?.recorded_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    });

    test("E2: a repeated id is a duplicate and changes nothing, also within a batch", async () => {
      const { log, events, messages } = subject().storage;
      await log.append([newMessage("m", "first")]);
      const again = await log.append([
        newEvent({ id: "n" }),
        newMessage("m", "second"),
        newEvent({ id: "n", payload: "other" }),
      ]);
      expect(again).toEqual<Appended[]>([
        { id: "n", conversation_id: "c", seq: 2, position: 2, duplicate: false },
        { id: "m", conversation_id: "c", seq: 1, position: 1, duplicate: true },
        { id: "n", conversation_id: "c", seq: 2, position: 2, duplicate: true },
      ]);
      expect((await events.list("c", { after: 0, limit: 10 })).map(({ id, payload }) => [id, payload])).toEqual([
        ["m", { message_id: "m", role: "user", content: "first" }],
        ["n", null],
      ]);
      expect((await messages.list("c", { limit: 10 })).items.map(({ content }) => content)).toEqual(["first"]);
    });

    test("E2: an id of another conversation is a conflict that rolls back its request, but not others", async () => {
      const { log, events, conversations } = subject().storage;
      await log.append([newEvent({ id: "taken", conversation_id: "a" })]);
      const outcomes = await Promise.allSettled([
        log.append([newEvent({ id: "before", conversation_id: "b" })]),
        log.append([
          newEvent({ id: "lost", conversation_id: "b" }),
          newMessage("lost too", "x", { conversation_id: "new" }),
          newEvent({ id: "taken", conversation_id: "b" }),
        ]),
        log.append([newEvent({ id: "after", conversation_id: "b" })]),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
      expect(outcomes[1]).toMatchObject({ reason: expect.any(Conflict) });
      expect(outcomes[1]).toMatchObject({ reason: { index: 2 } });
      expect((await events.list("b", { after: 0, limit: 10 })).map(({ id, seq }) => [id, seq])).toEqual([
        ["before", 1],
        ["after", 2],
      ]);
      expect(await conversations.get("new")).toBeNull();
      expect(await conversations.get("b")).toMatchObject({ event_count: 2, message_count: 0, last_seq: 2 });
    });

    test("E2: steps and positions have no gaps, however requests are grouped", async () => {
      const request = fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.integer({ min: 0, max: 30 })), {
        minLength: 1,
        maxLength: 8,
      });
      await fc.assert(
        fc.asyncProperty(fc.array(request, { maxLength: 12 }), async (requests) => {
          const own = await make();
          try {
            const { log, events } = own.storage;
            await Promise.allSettled(
              requests.map((batch) =>
                // Ids are shared between conversations, so some requests conflict.
                log.append(
                  batch.map(([conversation, id]) =>
                    newMessage(`e${id}`, `text ${id}`, { conversation_id: conversation }),
                  ),
                ),
              ),
            );
            const all = await events.since(0, { limit: 1_000 });
            expect(all.map(({ position }) => position)).toEqual(all.map((_, index) => index + 1));
            for (const conversation of ["a", "b", "c"]) {
              const steps = await events.list(conversation, { after: 0, limit: 1_000 });
              expect(steps.map(({ seq }) => seq)).toEqual(steps.map((_, index) => index + 1));
              expect(steps).toEqual(all.filter((event) => event.conversation_id === conversation));
            }
          } finally {
            await own.dispose();
          }
        }),
        { numRuns: 25 },
      );
    });

    test("E2: acknowledged events survive reopening, and numbering continues", async () => {
      await subject().storage.log.append(newEvents("a", 3));
      await subject().reopen();
      const { log, events } = subject().storage;
      expect(await events.head()).toBe(3);
      expect(await log.append([newEvent({ id: "next", conversation_id: "a" })])).toMatchObject([
        { seq: 4, position: 4 },
      ]);
    });

    test("E13: commits with events notify of the newest position, others do not", async () => {
      const { storage, commits } = subject();
      await storage.log.append(newEvents("a", 2));
      await storage.log.append(newEvents("a", 2));
      await storage.log.append(newEvents("b", 1));
      expect(commits).toEqual([2, 3]);
    });

    test("E2: a conversation is created once", async () => {
      const { log, conversations } = subject().storage;
      const created = (id: string, title: string) => ({
        ...newEvent({ id, type: "conversation.created", payload: { title } }),
        conversation_id: "c",
      });
      expect(await log.createConversation(created("e1", "One"))).toEqual({ created: true });
      expect(await log.createConversation(created("e2", "Two"))).toEqual({ created: false });
      expect(await conversations.get("c")).toMatchObject({ title: "One", event_count: 1 });
    });

    test("close: queued requests are written, later ones refused", async () => {
      const { log, events } = subject().storage;
      const queued = log.append(newEvents("a", 1));
      const closed = subject().storage.close();
      await expect(log.append(newEvents("b", 1))).rejects.toThrow("closed");
      await expect(queued).resolves.toHaveLength(1);
      await closed;
      await subject().reopen();
      expect(events).not.toBe(subject().storage.events);
      expect(await subject().storage.events.head()).toBe(1);
    });
  });
}
