import { describe, expect, test } from "vitest";
import { MOST_TAGS, type QueueView } from "../../../lib/queue/queue.ts";
import type { ConversationQuery } from "../../repositories.ts";
import { eachTime, type MakeSubject, newEvent, newEvents } from "../subject.ts";

/** The contract of `QueueStore`, and of the list's views of the queue. */
export function queueContract(make: MakeSubject): void {
  describe("Queue", () => {
    const subject = eachTime(make);

    test("changes are kept beside the log, and what is not said stays", async () => {
      const { log, queue, events } = subject().storage;
      await log.append([...newEvents("a", 1), ...newEvents("b", 1)]);
      const head = await events.head();
      const due_at = "2026-01-02T00:00:00.000Z";
      expect(await queue.change(["a", "b", "gone"], { assignee: "anna", add_tags: ["refund", "EUR"] })).toEqual({
        changed: ["a", "b"],
        missing: ["gone"],
      });
      await queue.change(["a"], { due_at, remove_tags: ["EUR"], add_tags: ["100%_sure"] });
      await subject().reopen();
      const { storage } = subject();
      const item = { assignee: "anna", due_at, snoozed_until: null, resolved_at: null, tags: ["100%_sure", "refund"] };
      expect((await storage.conversations.get("a"))?.queue).toEqual(item);
      expect(await storage.queue.tags()).toEqual(["refund", "100%_sure", "EUR"]);
      await storage.queue.change(["b"], { assignee: null, remove_tags: ["refund", "EUR"] });
      expect((await storage.conversations.get("b"))?.queue).toBeNull();
      expect(await storage.events.head()).toBe(head);
      expect(await subject().faults()).toEqual([]);
    });

    test("too many tags are refused, and nothing is changed", async () => {
      const { log, queue, conversations } = subject().storage;
      await log.append([...newEvents("a", 1), ...newEvents("b", 1)]);
      const tags = Array.from({ length: MOST_TAGS }, (_, index) => `t${index}`);
      await queue.change(["b"], { add_tags: tags });
      await expect(queue.change(["a", "b"], { add_tags: ["more"] })).rejects.toMatchObject({ code: "conflict" });
      expect((await conversations.get("a"))?.queue).toBeNull();
      expect(await queue.change(["b"], { add_tags: ["more"], remove_tags: ["t1"] })).toMatchObject({ changed: ["b"] });
    });

    test("views and filters of the list find them, and count alike", async () => {
      const { log, queue, conversations } = subject().storage;
      for (const id of ["idle", "mine", "theirs", "asleep", "done"]) await log.append(newEvents(id, 1));
      const ask = (id: string) =>
        newEvent({
          ...{ id: `${id}-asked`, conversation_id: id, type: "confirmation.requested" },
          payload: { confirmation_id: `${id}-k`, key: "k", action: { method: "pay", params: {} } },
        });
      await log.append([ask("waits"), ask("mine")]);
      const now = Date.now() + 60_000;
      const before = new Date(now - 1).toISOString();
      const after = new Date(now + 1).toISOString();
      await queue.change(["mine", "asleep", "done"], { assignee: "anna", due_at: before });
      await queue.change(["theirs"], { assignee: "boris", due_at: after, add_tags: ["Refund"] });
      await queue.change(["asleep"], { snoozed_until: after });
      await queue.change(["done"], { resolved: true });
      const ids = async (query: Partial<ConversationQuery>) =>
        (await conversations.list({ limit: 10, ...query })).items.map(({ id }) => id).sort();
      const views: Record<QueueView, string[]> = {
        mine: ["mine"],
        nobody: ["waits"],
        open: ["mine", "theirs", "waits"],
        overdue: ["mine"],
        resolved: ["done"],
      };
      const counts = await queue.counts("anna", now);
      for (const view of ["mine", "nobody", "open", "overdue", "resolved"] as const) {
        expect([view, await ids({ queue: { view, me: "anna", now } })]).toEqual([view, views[view]]);
        expect([view, counts[view]]).toEqual([view, views[view].length]);
      }
      expect(await ids({ assignee: "boris" })).toEqual(["theirs"]);
      expect(await ids({ tag: "Refund" })).toEqual(["theirs"]);
      expect(await ids({ tag: "refund" })).toEqual([]);
      // A resolved one comes back with what happens in it later.
      await log.append([newEvent({ id: "late", conversation_id: "done", occurred_at: "2100-01-01T00:00:00Z" })]);
      expect(await ids({ queue: { view: "mine", me: "anna", now } })).toEqual(["done", "mine"]);
    });
  });
}
