import { describe, expect, test, vi } from "vitest";
import { eachTime, type MakeSubject, newEvents, newMessage } from "./subject.ts";

/** The contract of `TelegramStore`: no update is lost, and none is processed twice. */
export function telegramContract(make: MakeSubject): void {
  describe("Telegram", () => {
    const subject = eachTime(make);
    const store = () => subject().storage.telegram;
    const update = (update_id: number, conversation_id = "telegram:7") => ({
      ...{ update_id, conversation_id },
      update: { update_id, text: "привет" },
    });

    test("D10: an update is kept until it is handled, also after reopening", async () => {
      expect(await store().receive(update(1))).toBe(true);
      await subject().reopen();
      expect(await store().waiting()).toEqual(["telegram:7"]);
      expect(await store().unhandled("telegram:7")).toEqual([update(1)]);
      await store().handled(1);
      expect([await store().waiting(), await store().unhandled("telegram:7")]).toEqual([[], []]);
    });

    test("D10: an update is new once, also concurrently and after it was handled", async () => {
      const outcomes = await Promise.all(Array.from({ length: 5 }, () => store().receive(update(1))));
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      await store().handled(1);
      expect(await store().receive(update(1))).toBe(false);
      expect(await store().unhandled("telegram:7")).toEqual([]);
    });

    test("D10: an id that Telegram reuses after more than a week is a new update", async () => {
      vi.useFakeTimers({ toFake: ["Date"] });
      try {
        await store().receive(update(1));
        await store().handled(1);
        await store().receive(update(2));
        vi.setSystemTime(Date.now() + 7 * 24 * 3_600_000 + 1);
        expect(await store().receive(update(1))).toBe(true);
        expect(await store().receive(update(2))).toBe(false);
      } finally {
        vi.useRealTimers();
      }
    });

    test("D10: each conversation has its own updates, by id", async () => {
      for (const id of [5, 3, 4]) await store().receive(update(id));
      await store().receive(update(9, "telegram:-100123"));
      expect((await store().unhandled("telegram:7")).map(({ update_id }) => update_id)).toEqual([3, 4, 5]);
      expect(await store().unhandled("telegram:-100123")).toHaveLength(1);
      expect((await store().waiting()).sort()).toEqual(["telegram:-100123", "telegram:7"]);
    });

    test("D10: a conversation is followed from the log's end at its first update, and continues at its position", async () => {
      await subject().storage.log.append(newEvents("before", 3));
      await store().receive(update(1));
      await subject().storage.log.append(newEvents("after", 2));
      await store().receive(update(2));
      expect(await store().progress("telegram:7")).toEqual({ position: 3, parts: 0 });
      await store().advance("telegram:7", { position: 4, parts: 2 });
      await subject().reopen();
      expect(await store().progress("telegram:7")).toEqual({ position: 4, parts: 2 });
      expect(await store().progress("telegram:8")).toBeNull();
    });

    test("D10: a conversation is behind while it has messages after its position", async () => {
      const { log } = subject().storage;
      const said = (id: string, conversation_id: string) => log.append([newMessage(id, "hello", { conversation_id })]);
      await said("before", "telegram:7");
      for (const [index, id] of ["telegram:7", "telegram:8", "telegram:9"].entries())
        await store().receive(update(index, id));
      expect(await store().behind()).toEqual([]);
      await said("answer", "telegram:7");
      await said("other", "telegram:8");
      await log.append(newEvents("telegram:9", 2));
      await said("not followed", "telegram:10");
      await store().advance("telegram:8", { position: 3, parts: 0 });
      expect(await store().behind()).toEqual(["telegram:7"]);
    });

    test("D10: other subscriptions start once", async () => {
      await subject().storage.log.append(newEvents("before", 2));
      await store().follow("alerts");
      await subject().storage.log.append(newEvents("after", 2));
      await store().follow("alerts");
      expect(await store().progress("alerts")).toEqual({ position: 2, parts: 0 });
    });
  });
}
