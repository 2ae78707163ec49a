import { describe, expect, test } from "vitest";
import { Conflict } from "../../errors.ts";
import type { Fork, NewEvent } from "../../repositories.ts";
import { eachTime, type MakeSubject, newEvent, newEvents, newMessage, searched } from "../subject.ts";

const RECORDED = "2020-01-01T00:00:00.000Z";

/** The contract of `Log.fork`. */
export function forksContract(make: MakeSubject): void {
  describe("Log.fork", () => {
    const subject = eachTime(make);
    const never = new AbortController().signal;

    test("E9: a fork has the history with its times, then its own events, and names its source", async () => {
      const { log, conversations, events, messages } = subject().storage;
      await log.append([newEvent({ id: "source", conversation_id: "s" })]);
      await log.fork(fork("f", [[told("f", 1), said("f", 2, "привет")], [told("f", 3)]], "s"), never);
      expect(await conversations.get("f")).toMatchObject({
        last_seq: 4,
        message_count: 1,
        forked_from: { conversation_id: "s", seq: 3 },
        created_at: RECORDED,
      });
      const found = await events.list("f", { after: 0, limit: 9 });
      expect(found.map(({ id, seq, recorded_at }) => [id, seq, recorded_at === RECORDED])).toEqual([
        ["f:1", 1, true],
        ["f:2", 2, true],
        ["f:3", 3, true],
        ["f:4", 4, false],
      ]);
      expect((await messages.list("f", { limit: 9 })).items).toMatchObject([{ content: "привет", seq: 2 }]);
      expect((await searched(conversations, { q: "привет", limit: 9 })).items).toMatchObject([
        { id: "f", hit: { seq: 2 } },
      ]);
    });

    test("E9: live readers see only a fork's own events, and miss no concurrent ones", async () => {
      const { log, events } = subject().storage;
      await log.append(newEvents("s", 2));
      await log.fork(
        fork("f", [[told("f", 1)], [told("f", 2)]], "s", () => log.append([newEvent({ id: "meanwhile" })])),
        never,
      );
      expect((await events.since(0, { limit: 9 })).map(({ id }) => id)).toEqual(["s-1", "s-2", "meanwhile", "f:3"]);
      expect((await events.since(2, { conversationId: "f", limit: 9 })).map(({ id }) => id)).toEqual(["f:3"]);
      expect(await events.head()).toBe(4);
    });

    test("E9: other writes do not wait for a fork's end, and do not see it before", async () => {
      const { log, conversations } = subject().storage;
      const gate = Promise.withResolvers<void>();
      const forked = log.fork(
        fork("f", [[said("f", 1, "unheard")], [told("f", 2)]], "s", () => gate.promise),
        never,
      );
      await log.append(newEvents("meanwhile", 1));
      expect(await conversations.get("f")).toBeNull();
      expect((await searched(conversations, { q: "unheard", limit: 9 })).items).toEqual([]);
      gate.resolve();
      await forked;
      expect((await searched(conversations, { q: "unheard", limit: 9 })).items).toMatchObject([{ id: "f" }]);
    });

    test("E9: a fork's history changes no agent state, requests nothing and raises no alerts", async () => {
      const { log, agentStates, confirmations, alerts } = subject().storage;
      await log.putAgentState({ agentId: "a", key: "k", value: "now", expect: { kind: "any" }, actor: null });
      const history = [
        told("f", 1, "agent_state.written", { agent_id: "a", key: "k", value: "then", version: 9 }),
        told("f", 2, "manager.alerted", { text: "Help" }),
        told("f", 3, "confirmation.requested", {
          confirmation_id: "c",
          key: "k",
          action: { method: "pay", params: {} },
        }),
      ];
      await log.fork(fork("f", [history], "s"), never);
      expect(await agentStates.get("a", "k")).toMatchObject({ value: "now", version: 1 });
      expect((await confirmations.list({ limit: 9 })).items).toEqual([]);
      expect((await alerts.list({ status: "all", limit: 9 })).items).toEqual([]);
    });

    test("E9: the forks of a conversation are listed by last activity, in pages", async () => {
      const { log, conversations } = subject().storage;
      for (const id of ["f1", "f2", "f3"]) await log.fork(fork(id, [], "s"), never);
      await log.fork(fork("other", [], "t"), never);
      const page = await conversations.list({ forked_from: "s", limit: 2 });
      const rest = await conversations.list({ forked_from: "s", limit: 2, cursor: page.next ?? "" });
      expect([...page.items, ...rest.items].map(({ id }) => id).sort()).toEqual(["f1", "f2", "f3"]);
      expect(rest.next).toBeNull();
    });

    test("E9: a fork whose history fails leaves nothing, and its id can be reused", async () => {
      const { log, conversations, events, messages } = subject().storage;
      const failing = fork("f", [[said("f", 1, "lost")], [told("f", 2)]], "s", () => {
        throw new Error("cannot be read");
      });
      await expect(log.fork(failing, never)).rejects.toThrow("cannot be read");
      expect(await conversations.get("f")).toBeNull();
      expect(await events.list("f", { after: 0, limit: 9 })).toEqual([]);
      expect((await messages.list("f", { limit: 9 })).items).toEqual([]);
      await log.fork(fork("f", [[said("f", 1, "found")]], "s"), never);
      expect((await searched(conversations, { q: "lost", limit: 9 })).items).toEqual([]);
      expect((await searched(conversations, { q: "found", limit: 9 })).items).toHaveLength(1);
    });

    test("E9: an aborted fork leaves nothing", async () => {
      const { log, events, conversations } = subject().storage;
      const controller = new AbortController();
      const aborted = fork("f", [[told("f", 1)], [told("f", 2)]], "s", () => controller.abort());
      await expect(log.fork(aborted, controller.signal)).rejects.toThrow(/abort/i);
      expect(await events.list("f", { after: 0, limit: 9 })).toEqual([]);
      expect(await conversations.get("f")).toBeNull();
    });

    test("E9: a fork whose own events cannot be appended leaves nothing", async () => {
      const { log, events } = subject().storage;
      await log.append([newEvent({ id: "f:2" })]);
      await expect(log.fork(fork("f", [[told("f", 1)]], "s"), never)).rejects.toBeInstanceOf(Conflict);
      expect(await events.list("f", { after: 0, limit: 9 })).toEqual([]);
    });

    test("E9: a fork interrupted by the end of the process is removed at the next start", async () => {
      const { log } = subject().storage;
      const reached = Promise.withResolvers<void>();
      const endless = fork("f", [[said("f", 1, "lost")], [told("f", 2)]], "s", () => {
        reached.resolve();
        return Promise.withResolvers<void>().promise;
      });
      void log.fork(endless, never).catch(() => undefined);
      await reached.promise;
      await subject().reopen();
      const { conversations, events } = subject().storage;
      expect(await events.list("f", { after: 0, limit: 9 })).toEqual([]);
      expect((await conversations.list({ limit: 9 })).items).toEqual([]);
      await subject().storage.log.fork(fork("f", [[told("f", 1)]], "s"), never);
      expect(await conversations.get("f")).toMatchObject({ last_seq: 2 });
    });

    test("E8: the view of a long fork equals that of its events", async () => {
      const { log, sessions } = subject().storage;
      const pages = [1, 2, 3].map((page) =>
        Array.from({ length: 400 }, (_, index) => said("f", (page - 1) * 400 + index + 1, `${page}/${index}`)),
      );
      await log.fork(fork("f", pages, "s"), never);
      const view = JSON.parse((await sessions.view("f", 1_100)) ?? "null");
      expect(view).toMatchObject({ at: 1_100, last: 1_201, messages_before: 900 });
      expect(view.messages.at(-1)).toMatchObject({ seq: 1_100, content: "3/299" });
    });
  });
}

/** A fork of `source` with this history, in pages; `between` runs after the first page. */
function fork(id: string, pages: NewEvent[][], source: string, between?: () => unknown): Fork {
  const length = pages.flat().length;
  const payload = { forked_from: { conversation_id: source, seq: length } };
  async function* history() {
    for (const [index, page] of pages.entries()) {
      if (index === 1) await between?.();
      yield page;
    }
  }
  return {
    conversation_id: id,
    length,
    bookmarks: [],
    history: history(),
    beginning: () => [
      newEvent({ id: `${id}:${length + 1}`, conversation_id: id, type: "conversation.created", payload }),
    ],
  };
}

function told(id: string, seq: number, type = "log", payload: NewEvent["payload"] = seq): NewEvent {
  return newEvent({ id: `${id}:${seq}`, conversation_id: id, type, payload, recorded_at: RECORDED });
}

function said(id: string, seq: number, content: string): NewEvent {
  return newMessage(`${id}:${seq}`, content, { conversation_id: id, recorded_at: RECORDED });
}
