import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../../../lib/session/event.ts";
import type { Json } from "../../../lib/session/json/json.ts";
import { callKey } from "../../../lib/session/keys.ts";
import type { SessionMap } from "../../../lib/session/map/session-map.ts";
import { emptySession, fold } from "../../../lib/session/reducer/reducer.ts";
import { speakerAt } from "../../../lib/session/runs/speakers.ts";
import { anySession, inConversation, speaker } from "../../../lib/session/testing/events.ts";
import type { TimelineColumns } from "../../../lib/session/timeline/timeline.ts";
import { toView } from "../../../lib/session/view.ts";
import type { Storage } from "../../storage.ts";
import { eachTime, type MakeSubject, newEvent, newEvents } from "../subject.ts";

/** The contract of `Sessions`. */
export function sessionsContract(make: MakeSubject): void {
  describe("Sessions", () => {
    const subject = eachTime(make);
    const never = new AbortController().signal;

    test("E7: the character U+0000 in an event harms no list, timeline or count", async () => {
      const { log, sessions, conversations, notices } = subject().storage;
      await notices.follow("email");
      const odd = (id: string, type: string, payload: object) =>
        newEvent({ id, type, run_id: "r", agent_id: "a", payload: { ...payload, odd: "\0" } });
      await log.append([
        odd("1", "conversation.created", { title: "Zero \0" }),
        odd("2", "run.started", { call_id: "c" }),
        odd("3", "run.iteration", { speaker: speaker("a", "n") }),
        odd("4", "model.responded", { model: "m", provider: "p", input_tokens: 3, output_tokens: 1 }),
        odd("5", "manager.alerted", { text: "\0" }),
        odd("6", "confirmation.requested", {
          confirmation_id: "k",
          key: "k",
          action: { method: "m", params: { x: "\0" } },
        }),
      ]);
      expect((await conversations.list({ limit: 9 })).items).toMatchObject([{ id: "c" }]);
      expect(await sessions.timeline("c", 0)).toContain("run.iteration");
      expect(await sessions.tokens("c", { from: 1, to: 9 })).toMatchObject({ input_tokens: 3 });
      await notices.gather("email", (_, since) => ({ number: 1, dueAt: since }));
      const message = await notices.take("email", Date.now() + 1_000, "m");
      expect(message?.notices).toMatchObject([{ kind: "alert" }, { kind: "confirmation", method: "m" }]);
    });

    test("E7: a view equals reducing the events up to its step, whatever was read before", async () => {
      const { storage } = subject();
      let count = 0;
      await fc.assert(
        fc.asyncProperty(anySession, fc.array(fc.nat(), { maxLength: 6 }), async (session, looks) => {
          fc.pre(session.length > 0);
          count += 1;
          const id = `c${count}`;
          await storage.log.importConversations(oneConversation(session, id), never);
          const events = await storage.events.list(id, { after: 0, limit: 1_000 });
          for (const look of looks) {
            const at = look % (events.length + 1);
            expect(await viewOf(storage, id, at)).toEqual(folded(id, events, at));
          }
        }),
      );
    });

    test("failures of the same kind are found in all conversations, and no others", async () => {
      const { storage } = subject();
      const failed = (conversation_id: string, id: string, message: string, tool = "book") =>
        newEvent({
          ...{ id: `${conversation_id}-${id}`, conversation_id, type: "call.failed", run_id: "r" },
          payload: { call_id: id, tool, error: { code: "refused", message } },
        });
      await storage.log.append([
        newEvent({ id: "title", conversation_id: "a", type: "conversation.created", payload: { title: "Ann books" } }),
        failed("a", "1", "the total is 375, but 299 was paid"),
        failed("b", "1", "the total is 305, but 255 was paid"),
        failed("b", "2", "the total is 30.5, but 25 was paid"),
        failed("c", "1", "the total is 305, but 255 was paid", "pay"),
        failed("c", "2", "no seats"),
        newEvent({ id: "c-3", conversation_id: "c", payload: "the total is 1, but 2 was paid" }),
      ]);
      expect(await storage.sessions.similarFailures("a", 2)).toMatchObject({
        ...{ failures: 3, conversations: 2, cut: false },
        first: { conversation_id: "a", name: "Ann books", seq: 2 },
        items: [
          { conversation_id: "b", name: null, seq: 2, message: "the total is 30.5, but 25 was paid" },
          { conversation_id: "a", name: "Ann books", seq: 2, message: "the total is 375, but 299 was paid" },
        ],
      });
      expect(await storage.sessions.similarFailures("c", 2)).toMatchObject({ failures: 1, conversations: 1 });
      expect(await storage.sessions.similarFailures("c", 3)).toBeNull();
      expect(await storage.sessions.similarFailures("c", 9)).toBeNull();
      expect(await storage.sessions.similarFailures("unknown", 1)).toBeNull();
    });

    test("C2a: of more failures than are compared, the asked one and the earliest are among them", async () => {
      const { storage } = subject();
      const failed = (conversation: string, seq: number, message: string) =>
        newEvent({
          ...{ id: `${conversation}-${seq}`, conversation_id: conversation, type: "call.failed" },
          payload: { call_id: `c${seq}`, tool: "book", error: { code: "refused", message } },
        });
      const many = (conversation: string, message: string) =>
        Array.from({ length: 1_000 }, (_, n) => failed(conversation, n + 1, message));
      await storage.log.append([failed("first", 1, "no seats"), failed("old", 1, "no seats")]);
      await storage.log.append(many("others", "the card was declined"));
      await storage.log.append([failed("middle", 1, "no seats")]);
      await storage.log.append(many("new", "no seats"));
      const found = await storage.sessions.similarFailures("middle", 1);
      expect(found).toMatchObject({ failures: 1_001, conversations: 2, cut: true });
      expect(found?.first?.conversation_id).toBe("first");
      expect(found?.items.map(({ conversation_id }) => conversation_id)).toEqual(["new", "middle"]);
    });

    test("E7: a view follows the session, and is the newest without a step", async () => {
      const { storage } = subject();
      await storage.log.append(newEvents("a", 3));
      expect(await viewOf(storage, "a", null)).toMatchObject({ at: 3, last: 3 });
      await storage.log.append([
        newEvent({ id: "more", conversation_id: "a", type: "manager.alerted", payload: { text: "help" } }),
      ]);
      expect(await viewOf(storage, "a", null)).toMatchObject({ at: 4, last: 4, status: "escalated" });
      expect(await viewOf(storage, "a", 3)).toMatchObject({ at: 3, last: 4, status: "idle" });
      expect(await viewOf(storage, "a", 0)).toMatchObject({
        at: 0,
        last: 4,
        messages: [],
        summary: { event_count: 0 },
      });
    });

    test("E7: a bare view is the view without derived fields", async () => {
      const { storage } = subject();
      await storage.log.append(newEvents("a", 3));
      const whole: object = JSON.parse((await storage.sessions.view("a", 2)) ?? "null");
      const bare: object = JSON.parse((await storage.sessions.view("a", 2, { bare: true })) ?? "null");
      const derived = ["plan", "stage", "state", "status"];
      expect(Object.keys(whole).sort()).toEqual([...Object.keys(bare), ...derived].sort());
      expect(whole).toMatchObject(bare);
    });

    test.each([-1, 4])("E8: step %d of a session of three is refused, naming the last", async (at) => {
      const { storage } = subject();
      await storage.log.append(newEvents("a", 3));
      await expect(storage.sessions.view("a", at)).rejects.toMatchObject({ code: "out_of_range", last: 3 });
    });

    test("E15: what a session infers depends on the sessions before it, and does not change with later ones", async () => {
      const { storage } = subject();
      const talk = (id: string, grade: string) => {
        const told: [type: string, payload: Json][] = [
          ["message.created", { message_id: `${id}-m`, role: "user", content: id }],
          ["run.started", {}],
          ["call.started", { call_id: "a", tool: "t", params: {} }],
          ["call.succeeded", { call_id: "a", tool: "t", output: { grade, id: "W7741" } }],
          ["call.started", { call_id: "b", tool: "t", params: { grade, id: "W7741" } }],
        ];
        return told.map(([type, payload], index) =>
          newEvent({ id: `${id}-${index}`, conversation_id: id, run_id: `${id}-run`, type, payload }),
        );
      };
      const paths = async (id: string) =>
        (await storage.sessions.inferredEdges(id, null))?.items.map(({ to_path }) => to_path);
      await storage.log.append(talk("first", "Standard"));
      expect(await paths("first")).toEqual(["/grade", "/id"]);
      for (let index = 0; index < 10; index++) await storage.log.append(talk(`other-${index}`, "Standard"));
      await storage.log.append(talk("last", "Standard"));
      expect(await paths("last")).toEqual(["/id"]);
      expect(await paths("first")).toEqual(["/grade", "/id"]);
      for (let index = 10; index < 60; index++) await storage.log.append(talk(`other-${index}`, "Premium"));
      expect(await paths("last")).toEqual(["/id"]);
    });

    test("a map is of all events, and of large payloads it has what the columns tell", async () => {
      const { storage } = subject();
      const call = { call_id: "get", tool: "get" };
      const say = (id: string, type: string, payload: Json, run_id: string | null = "run") =>
        newEvent({ id, conversation_id: "a", type, payload, run_id });
      await storage.log.append([
        say("1", "message.created", { message_id: "m", role: "user", content: `Hello ${"x".repeat(70_000)}` }, null),
        say("2", "run.started", { instructions: "y".repeat(70_000) }),
        say("3", "model.responded", { model: "m", provider: "p", output: "z".repeat(70_000) }),
        say("4", "call.started", { ...call, params: { id: 7 } }),
        say("5", "call.succeeded", { ...call, output: "w".repeat(70_000) }),
        say("6", "call.started", { ...call, call_id: "book", iteration: 2 }),
        say("7", "call.failed", {
          ...{ ...call, call_id: "book", iteration: 2, params: "v".repeat(70_000) },
          error: { code: "no", message: "No seats" },
        }),
        say("8", "log", { message: "after it" }),
      ]);
      const map: SessionMap = JSON.parse((await storage.sessions.map("a")) ?? "null");
      expect(map).toMatchObject({ last: 8, runs_before: 0 });
      expect(map.runs).toMatchObject([{ id: "run", words: { seq: 1, text: expect.stringMatching(/^Hello x+…$/) } }]);
      expect(map.calls).toMatchObject([
        { id: "get", iteration: 1, status: "succeeded", ended_seq: 5, output: null },
        { id: "book", iteration: 2, status: "failed", error: "No seats" },
      ]);
      expect(await storage.sessions.map("other")).toBeNull();
    });

    describe("search", () => {
      const say = (id: string, type: string, payload: Json) => newEvent({ id, conversation_id: "a", type, payload });
      const told = [
        say("1", "message.created", { message_id: "m1", role: "user", content: 'Верните деньги: 50% of "all" 👍' }),
        say("2", "state.written", { path: "deal.title", value: "Возврат билета" }),
        say("3", "call.failed", {
          call_id: "refund",
          tool: "crm.pay",
          error: { code: "OrderGone", message: "a\\b_c" },
        }),
        say("4", "message.created", { message_id: "m2", role: "assistant", content: "Деньги вернём завтра" }),
      ];
      const seqs = async (q: string, more: Partial<Parameters<Storage["sessions"]["search"]>[1]> = {}) =>
        (await subject().storage.sessions.search("a", { q, limit: 10, ...more }))?.items.map(({ seq }) => seq);

      test.each([
        ["деньги", [4, 1]],
        ["ДЕНЬ", [4, 1]],
        ["деньги 👍", [1]],
        ["возврат", [2]],
        ["deal.title", [2]],
        ["ordergone", [3]],
        ["REFUND gone", [3]],
        ["a\\b_c", [3]],
        ["aXb_c", []],
        ['"all"', [1]],
        ["50%", [1]],
        ["5%0", []],
        ["NEAR( * - ^x", []],
        ["'; --", []],
        [" \0 ", []],
      ])(
        "E14: finds the steps that have all words, newest first, nothing of them being syntax: %j",
        async (q, found) => {
          await subject().storage.log.append(told);
          expect(await seqs(q)).toEqual(found);
        },
      );

      test("E14: input is always words, never an error", async () => {
        await subject().storage.log.append(told);
        await fc.assert(
          fc.asyncProperty(fc.string({ unit: "binary" }), async (q) => {
            expect(await seqs(q)).toBeDefined();
          }),
        );
      });

      test("E14: messages, state and other events can be searched separately", async () => {
        await subject().storage.log.append(told);
        expect(await seqs("e", { where: "message" })).toEqual([4, 1]);
        expect(await seqs("e", { where: "state" })).toEqual([2]);
        expect(await seqs("e", { where: "event" })).toEqual([3]);
      });

      test("E14: pages continue where the last one ended, through a session of any length", async () => {
        const { storage } = subject();
        await storage.log.append(told);
        for (let page = 0; page < 5; page += 1) {
          const logs = Array.from({ length: 1_000 }, (_, index) => say(`log-${page}-${index}`, "log", { page }));
          await storage.log.append(logs);
        }
        const found: number[] = [];
        let cursor: string | undefined;
        do {
          const answer = await storage.sessions.search("a", { q: "деньги", cursor, limit: 1 });
          found.push(...(answer?.items.map(({ seq }) => seq) ?? []));
          cursor = answer?.next ?? undefined;
        } while (cursor !== undefined);
        expect(found).toEqual([4, 1]);
        expect(await storage.sessions.search("a", { q: "absent", limit: 10 })).toEqual({
          items: [],
          from: 1,
          next: null,
        });
      });

      test("E14: an unknown conversation is not searched", async () => {
        expect(await subject().storage.sessions.search("none", { q: "a", limit: 1 })).toBeNull();
      });
    });

    test("E14: an unknown conversation has neither view nor timeline", async () => {
      const { sessions } = subject().storage;
      expect(await sessions.view("unknown", null)).toBeNull();
      expect(await sessions.timeline("unknown", 0)).toBeNull();
    });

    test("E8: the timeline has each step with its time, cause and error", async () => {
      const { log, sessions } = subject().storage;
      const at = (second: number) => ({ conversation_id: "c", occurred_at: `2026-01-01T00:00:0${second}.000Z` });
      await log.append([
        newEvent({
          id: "1",
          ...at(1),
          type: "message.created",
          actor: "user:alice",
          caused_by: "2",
          payload: { message_id: "m", role: "user", content: "hi" },
        }),
        newEvent({
          id: "2",
          ...at(2),
          type: "run.started",
          run_id: "r",
          actor: "agent:bob",
          caused_by: "1",
          payload: {},
        }),
        newEvent({
          id: "3",
          ...at(3),
          type: "call.failed",
          run_id: "r",
          caused_by: "elsewhere",
          payload: { call_id: "a", tool: "t", error: { code: "x", message: "y" } },
        }),
        newEvent({ id: "4", ...at(4), type: "call.retried", run_id: "r", payload: { call_id: "a", tool: "t" } }),
      ]);
      const start = Date.parse("2026-01-01T00:00:00.000Z");
      expect(await timelineOf(subject().storage, 0)).toEqual({
        after: 0,
        last: 4,
        tables: {
          type: ["message.created", "run.started", "call.failed", "call.retried"],
          actor: ["user:alice", "agent:bob"],
          agent: ["bob"],
          run: ["r"],
          call: [{ run: 0, iteration: 1, instance: "", id: "a", tool: "t" }],
        },
        seq: [1, 2, 3, 4],
        time: [start + 1_000, start + 2_000, start + 3_000, start + 4_000],
        type: [0, 1, 2, 3],
        actor: [0, 1, -1, -1],
        agent: [-1, 0, -1, -1],
        run: [-1, 0, 0, 0],
        call: [-1, -1, 0, 0],
        cause: [2, 1, 0, 0],
        error: [0, 0, 1, 0],
        standing: {
          ...{ run: [0], iteration: [1], agent: [-1], speaker: [-1] },
          awaited: [{ seq: 3, cause: "elsewhere" }],
          failures: {
            count: 1,
            runs: [{ run: "r", parent: null, failed: [{ seq: 3, id: "3", call: "/a", tentative: false }] }],
          },
        },
      });
      expect(await timelineOf(subject().storage, 3)).toMatchObject({ after: 3, last: 4, seq: [4], error: [0] });
      expect(JSON.parse((await sessions.timeline("c", 9)) ?? "")).toMatchObject({ after: 9, last: 4, seq: [] });
    });

    test("E8: an imported step without a time has none in the timeline", async () => {
      const { log } = subject().storage;
      const parts = async function* () {
        yield { conversation_id: "c", events: newEvents("c", 1) };
      };
      await log.importConversations(parts(), never);
      expect(await timelineOf(subject().storage, 0)).toMatchObject({ time: [null] });
    });

    test("C5, D1: the timeline has each step's agent: its own, else the current speaker of its run", async () => {
      const { storage } = subject();
      let count = 0;
      await fc.assert(
        fc.asyncProperty(anySession, fc.array(fc.option(fc.constantFrom("x", "y"))), async (session, agents) => {
          fc.pre(session.length > 0);
          count += 1;
          const id = `c${count}`;
          const told = session.map((event, index) => ({ ...event, agent_id: agents[index] ?? null }));
          await storage.log.importConversations(oneConversation(told, id), never);
          const timeline: TimelineColumns = JSON.parse((await storage.sessions.timeline(id, 0)) ?? "null");
          const events = await storage.events.list(id, { after: 0, limit: 1_000 });
          for (const [index, event] of events.entries()) {
            const first = events.find(({ run_id }) => run_id === event.run_id);
            if (event.run_id === null || first?.type !== "run.started" || event.type === "run.iteration") continue;
            const run = fold(emptySession(id), events.slice(0, index + 1)).runs.get(event.run_id);
            if (!run) throw new Error(`Step ${event.seq} has no run`);
            const agent = timeline.tables.agent[timeline.agent[index] ?? -1] ?? null;
            expect(agent).toBe(event.agent_id ?? speakerAt(run, event.seq));
          }
        }),
      );
    });

    test("P19b: the timeline's calls equal those of the view, with the iteration that a step omits", async () => {
      const { storage } = subject();
      let count = 0;
      await fc.assert(
        fc.asyncProperty(anySession, async (session) => {
          fc.pre(session.length > 0);
          count += 1;
          const id = `c${count}`;
          await storage.log.importConversations(oneConversation(session, id), never);
          const timeline: TimelineColumns = JSON.parse((await storage.sessions.timeline(id, 0)) ?? "null");
          const events = await storage.events.list(id, { after: 0, limit: 1_000 });
          for (const [index, event] of events.entries()) {
            if (!event.type.startsWith("call.")) continue;
            const call = timeline.tables.call[timeline.call[index] ?? -1];
            if (!call) throw new Error(`Step ${event.seq} has no call`);
            const key = callKey(timeline.tables.run[call.run] ?? null, call.iteration, call.instance, call.id);
            expect([...fold(emptySession(id), events.slice(0, index + 1)).calls.keys()]).toContain(key);
          }
        }),
      );
    });
  });
}

async function viewOf(storage: Storage, conversationId: string, at: number | null): Promise<unknown> {
  return JSON.parse((await storage.sessions.view(conversationId, at)) ?? "null");
}

async function timelineOf(storage: Storage, after: number): Promise<unknown> {
  return JSON.parse((await storage.sessions.timeline("c", after)) ?? "null");
}

/** The view after a round trip through JSON. */
function folded(conversationId: string, events: SessionEvent[], at: number): unknown {
  return JSON.parse(JSON.stringify(toView(fold(emptySession(conversationId), events.slice(0, at)), events.length)));
}

async function* oneConversation(session: SessionEvent[], id: string) {
  yield {
    conversation_id: id,
    events: inConversation(id, session),
  };
}
