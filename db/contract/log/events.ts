import { describe, expect, test } from "vitest";
import { eachTime, type MakeSubject, newEvent, newEvents } from "../subject.ts";

/** The contract of `Events`. */
export function eventsContract(make: MakeSubject): void {
  describe("Events", () => {
    const subject = eachTime(make);
    const ids = (events: { id: string }[]) => events.map(({ id }) => id);

    test("E8: a session's events are read by cursor, oldest first", async () => {
      const { log, events } = subject().storage;
      await log.append(newEvents("a", 5));
      expect(ids(await events.list("a", { after: 0, limit: 2 }))).toEqual(["a-1", "a-2"]);
      expect(ids(await events.list("a", { after: 2, limit: 9 }))).toEqual(["a-3", "a-4", "a-5"]);
      expect(await events.list("a", { after: 5, limit: 9 })).toEqual([]);
      expect(await events.list("unknown", { after: 0, limit: 9 })).toEqual([]);
    });

    test("E8: the events of one type are read without the others", async () => {
      const { log, events } = subject().storage;
      await log.append([
        ...newEvents("a", 3),
        newEvent({ id: "x", conversation_id: "a", type: "made.up" }),
        newEvent({ id: "y", conversation_id: "a", type: "made.up" }),
      ]);
      expect(ids(await events.list("a", { after: 0, limit: 9, type: "made.up" }))).toEqual(["x", "y"]);
      expect(ids(await events.list("a", { after: 4, limit: 9, type: "made.up" }))).toEqual(["y"]);
      expect(ids(await events.list("a", { after: 0, limit: 1, type: "made.up" }))).toEqual(["x"]);
    });

    // Once right after writing, and once after reopening.
    test.each(["live", "reopened"])(
      "E13: a stream finds each event after its position once, of all or of one conversation (%s)",
      async (state) => {
        for (let round = 0; round < 40; round += 1)
          await subject().storage.log.append([
            newEvent({ id: `a${round}`, conversation_id: "a" }),
            newEvent({ id: `b${round}`, conversation_id: round % 7 === 0 ? "b" : "a" }),
          ]);
        if (state === "reopened") await subject().reopen();
        const { events } = subject().storage;
        const all = await events.since(0, { limit: 1_000 });
        expect(all).toHaveLength(80);
        for (let position = 0; position <= 80; position += 1) {
          expect(await events.since(position, { limit: 7 })).toEqual(all.slice(position, position + 7));
          for (const conversationId of ["a", "b"]) {
            const further = all.filter(
              (event) => event.position > position && event.conversation_id === conversationId,
            );
            expect(await events.since(position, { conversationId, limit: 5 })).toEqual(further.slice(0, 5));
            expect(await events.nextOf(conversationId, position)).toBe(further[0]?.position ?? null);
          }
        }
        expect(await events.nextOf("unknown", 3)).toBeNull();
        expect(await events.since(3, { conversationId: "unknown", limit: 5 })).toEqual([]);
        expect(await events.head()).toBe(80);
      },
    );

    test.each(["live", "reopened"])("the log is read without payloads (%s)", async (state) => {
      const { log } = subject().storage;
      await log.append([
        ...newEvents("a", 3),
        newEvent({ id: "x", conversation_id: null, type: "run.finished", run_id: "r", parent_run_id: "p" }),
      ]);
      if (state === "reopened") await subject().reopen();
      const { events } = subject().storage;
      const all = await events.headers(0, 9);
      expect(all).toHaveLength(4);
      const header = { position: 4, conversation_id: null, seq: all[3]?.seq, type: "run.finished" };
      expect(await events.headers(3, 9)).toEqual([
        expect.objectContaining({ ...header, run_id: "r", parent_run_id: "p" }),
      ]);
      expect((await events.headers(1, 2)).map(({ position }) => position)).toEqual([2, 3]);
      expect(await events.headers(4, 9)).toEqual([]);
    });

    test("E13: a reader far behind the newest events misses nothing", async () => {
      const { log, events } = subject().storage;
      for (let batch = 0; batch < 6; batch += 1) await log.append(newEvents(`c${batch}`, 1_000));
      const read: number[] = [];
      for (;;) {
        const page = await events.since(read.length, { limit: 700 });
        if (page.length === 0) break;
        read.push(...page.map(({ position }) => position));
      }
      expect(read).toEqual(Array.from({ length: 6_000 }, (_, index) => index + 1));
    });
  });
}
