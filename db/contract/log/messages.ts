import { describe, expect, test } from "vitest";
import { BadCursor } from "../../errors.ts";
import { eachTime, type MakeSubject, newEvent, newMessage } from "../subject.ts";

/** The contract of `Messages`. */
export function messagesContract(make: MakeSubject): void {
  describe("Messages", () => {
    const subject = eachTime(make);

    test("E1: a message event is also a message, with the event's seq", async () => {
      const { log, messages } = subject().storage;
      await log.append([
        newEvent({ id: "e" }),
        newEvent({
          id: "f",
          type: "message.created",
          run_id: "r",
          occurred_at: "2026-01-01T00:00:00Z",
          payload: { message_id: "m", role: "tool", content: "whole text", name: "crm", metadata: { a: [1] } },
        }),
      ]);
      expect(await messages.list("c", { limit: 10 })).toEqual({
        items: [
          {
            id: "m",
            seq: 2,
            role: "tool",
            content: "whole text",
            name: "crm",
            run_id: "r",
            created_at: "2026-01-01T00:00:00.000Z",
            metadata: { a: [1] },
          },
        ],
        next: null,
        prev: null,
      });
    });

    test("E11: pages in both directions have each message once, oldest first", async () => {
      const { log, messages } = subject().storage;
      await log.append(Array.from({ length: 11 }, (_, index) => newMessage(`m${index}`, `text ${index}`)));
      await log.append([newMessage("other", "of another", { conversation_id: "other" })]);
      const forward: string[][] = [];
      let page = await messages.list("c", { limit: 4 });
      expect(page.prev).toBeNull();
      forward.push(page.items.map(({ id }) => id));
      while (page.next) {
        page = await messages.list("c", { limit: 4, cursor: page.next });
        forward.push(page.items.map(({ id }) => id));
      }
      expect(forward.flat()).toEqual(Array.from({ length: 11 }, (_, index) => `m${index}`));
      const backward: string[][] = [page.items.map(({ id }) => id)];
      while (page.prev) {
        page = await messages.list("c", { limit: 4, cursor: page.prev });
        backward.unshift(page.items.map(({ id }) => id));
      }
      expect(backward).toEqual(forward);
    });

    test.each(["", "x", "bmV4dA", Buffer.from('["next",1]').toString("base64url")])(
      "E11: a cursor that no list gave out is refused: %j",
      async (cursor) => {
        await expect(subject().storage.messages.list("c", { cursor, limit: 1 })).rejects.toThrow(BadCursor);
      },
    );

    test("E11: a cursor that was changed is refused", async () => {
      const { log, messages } = subject().storage;
      await log.append([newMessage("a", "1"), newMessage("b", "2")]);
      const { next } = await messages.list("c", { limit: 1 });
      const cursor = Buffer.from(next ?? "", "base64url").toString();
      for (const changed of [
        cursor.replace("next", "up"),
        cursor.replace("1]", '"1"]'),
        cursor.replace("1]", "1,2]"),
      ]) {
        expect(changed).not.toBe(cursor);
        const asked = messages.list("c", { limit: 1, cursor: Buffer.from(changed).toString("base64url") });
        await expect(asked).rejects.toThrow(BadCursor);
      }
    });
  });
}
