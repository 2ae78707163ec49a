import { describe, expect, test } from "vitest";
import { BadCursor } from "../../errors.ts";
import { eachTime, type MakeSubject, newEvent, newMessage } from "../subject.ts";

const alert = (id: string, conversation_id: string, more: object = {}) =>
  newEvent({ id, conversation_id, type: "manager.alerted", payload: { text: `Help ${id}` }, ...more });

/** The contract of `Alerts`. */
export function alertsContract(make: MakeSubject): void {
  describe("Alerts", () => {
    const subject = eachTime(make);
    const list = (status: "open" | "all", more: { cursor?: string; limit?: number } = {}) =>
      subject().storage.alerts.list({ status, limit: 50, ...more });
    const ids = ({ items }: Awaited<ReturnType<typeof list>>) => items.map(({ id }) => id);
    const back = (id: string, conversation_id: string) =>
      newEvent({ id, conversation_id, type: "conversation.handed_back", actor: "operator:anna", payload: {} });

    test("D9: an alert is listed with its details, newest first, and counted", async () => {
      const { log, conversations } = subject().storage;
      expect((await conversations.facets()).alerts).toBe(0);
      const created = { title: "Refund", channel: "telegram", user_id: "alice", agent_id: "admin" };
      await log.append([
        newEvent({ id: "begins", conversation_id: "c", type: "conversation.created", payload: created }),
        newMessage("m", "Give me my money back", { conversation_id: "c" }),
        alert("a", "c", {
          ...{ run_id: "r", agent_id: "billing", occurred_at: "2026-01-01T00:00:00.000Z" },
          payload: { text: "She is angry", reason: "refund" },
        }),
        alert("b", "d"),
      ]);
      const [bare, told] = (await list("open")).items;
      expect(told).toEqual({
        ...{ id: "a", conversation_id: "c", seq: 3, run_id: "r", agent_id: "billing" },
        ...{ text: "She is angry", reason: "refund", created_at: "2026-01-01T00:00:00.000Z" },
        ...{ open: true, closed_at: null, closed_by: null },
        conversation: { ...created, subject: "Give me my money back", taken_over: null, running: false },
      });
      expect(bare).toMatchObject({ id: "b", reason: null, conversation: { title: null, taken_over: null } });
      expect((await conversations.facets()).alerts).toBe(2);
    });

    test("D11: an alert is open until its conversation is handed back, and has who took it over", async () => {
      const { log, conversations } = subject().storage;
      const takenOver = { id: "t", type: "conversation.taken_over", actor: "operator:anna", payload: {} };
      await log.append([alert("a", "c"), alert("b", "c"), alert("other", "d")]);
      await log.append([newEvent({ ...takenOver, conversation_id: "c" })]);
      expect((await list("open")).items).toMatchObject([
        { id: "other", conversation: { taken_over: null } },
        { id: "b", conversation: { taken_over: { by: "operator:anna", seq: 3 } } },
        { id: "a", open: true },
      ]);
      await log.append([back("h", "c"), alert("later", "c")]);
      expect(ids(await list("open"))).toEqual(["later", "other"]);
      expect((await conversations.facets()).alerts).toBe(2);
      expect((await list("all")).items).toMatchObject([
        { id: "later", open: true },
        { id: "other", open: true },
        { id: "b", open: false, closed_by: "operator:anna", closed_at: expect.any(String) },
        { id: "a", open: false },
      ]);
    });

    test("E11: the list is paged in both directions, and only accepts its own cursors", async () => {
      const { log } = subject().storage;
      await log.append(Array.from({ length: 5 }, (_, n) => alert(`${n}`, `c${n}`)));
      const first = await list("open", { limit: 2 });
      expect([ids(first), first.prev]).toEqual([["4", "3"], null]);
      const second = await list("open", { limit: 2, cursor: first.next ?? "" });
      expect(ids(second)).toEqual(["2", "1"]);
      expect(ids(await list("open", { limit: 2, cursor: second.next ?? "" }))).toEqual(["0"]);
      expect(ids(await list("open", { limit: 2, cursor: second.prev ?? "" }))).toEqual(["4", "3"]);
      await expect(list("open", { cursor: "nonsense" })).rejects.toBeInstanceOf(BadCursor);
    });
  });
}
