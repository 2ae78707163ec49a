import { describe, expect, test } from "vitest";
import { Conflict } from "../../errors.ts";
import type { Appended, ImportProgress, Log, NewEvent } from "../../repositories.ts";
import { eachTime, type MakeSubject, newEvent, newEvents, newMessage } from "../subject.ts";

/** A conversation of an import, or a part of one. */
export type Part = { conversation_id: string; events: NewEvent[] };

/** The contract of `Log.importConversations`. */
export function importContract(make: MakeSubject): void {
  describe("Log.importConversations", () => {
    const subject = eachTime(make);
    const never = new AbortController().signal;

    test("E11: whole conversations are imported; existing ones are not changed", async () => {
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

    test("E11: a conversation may be imported in parts, with any text", async () => {
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

    test("E11: many conversations in several pages become visible together", async () => {
      const { log, conversations } = subject().storage;
      const ids = Array.from({ length: 100 }, (_, n) => `many-${n}`);
      const imported = await log.importConversations(from(ids.map((id) => part(id, 10))), never);
      expect(imported).toEqual(ids.map((conversation_id) => ({ conversation_id, created: true, events: 10 })));
      expect((await conversations.facets()).total).toBe(100);
    });

    test("E11: times are kept, also absent ones", async () => {
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

    test("E11: an import is invisible until its end, and concurrent writes are positioned correctly", async () => {
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

    test("E11: an import whose source fails leaves nothing and throws the error", async () => {
      async function* failing(): AsyncIterable<Part> {
        yield part("a", 2);
        throw new Error("line 3 is no JSON");
      }
      await expect(subject().storage.log.importConversations(failing(), never)).rejects.toThrow("line 3 is no JSON");
      expect(await subject().storage.conversations.get("a")).toBeNull();
    });

    test("E2: an id of another conversation aborts the import, and nothing remains", async () => {
      const { log, conversations, events } = subject().storage;
      await log.append([newEvent({ id: "b-2", conversation_id: "other" })]);
      await expect(log.importConversations(from([part("a", 2), part("b", 2)]), never)).rejects.toBeInstanceOf(Conflict);
      expect(await conversations.get("a")).toBeNull();
      expect(await events.head()).toBe(1);
    });

    test("E11: other writes continue during an import, come before it, and live readers miss none", async () => {
      const { log, events, conversations, messages, confirmations, agentStates } = subject().storage;
      await log.append(newEvents("first", 1));
      const asked = newEvent({
        id: "asked",
        type: "confirmation.requested",
        payload: { confirmation_id: "k", key: "k", action: { method: "m", params: {} } },
      });
      const kept = newEvent({
        id: "kept",
        type: "agent_state.written",
        agent_id: "x",
        payload: { agent_id: "x", key: "k", value: 1, version: 1 },
      });
      const large = part("large", LARGE - 3);
      large.events.push(asked, kept, newMessage("said", "unheard"));
      let seen: Promise<unknown[]> | null = null;
      // The import ends after what is read during it: a connection to a database may be slower than the rest of it.
      async function* heldBack() {
        yield large;
        await seen;
      }
      const imported = log.importConversations(
        heldBack(),
        never,
        // All of these are called at once, while the import continues.
        onceStoring(() => {
          const beside = log.append(newEvents("beside", 2));
          const hidden = [
            ...[conversations.get("large"), confirmations.get("k"), agentStates.get("x", "k")],
            ...[events.nextOf("large", 0), events.head()],
          ];
          seen = Promise.all([...hidden, beside.then(() => events.since(1, { limit: 9 }))]);
        }),
      );
      expect(await imported).toEqual([{ conversation_id: "large", created: true, events: LARGE }]);
      // Whether the head was read before or after what came beside it: the import is above both.
      const beside = [{ id: "beside-1" }, { id: "beside-2" }];
      expect(await seen).toMatchObject([null, null, null, null, expect.toBeOneOf([1, 3]), beside]);
      const told = await events.since(3, { limit: 2 * LARGE });
      expect(told.map(({ seq }) => seq)).toEqual(Array.from({ length: LARGE }, (_, index) => index + 1));
      expect(await confirmations.get("k")).toMatchObject({ status: "requested", conversation_id: "large" });
      expect(await agentStates.get("x", "k")).toMatchObject({ value: 1 });
      expect((await messages.list("large", { limit: 9 })).items).toMatchObject([{ content: "unheard", seq: LARGE }]);
      const [next] = await log.append(newEvents("next", 1));
      expect(next?.position).toBe((told.at(-1)?.position ?? 0) + 1);
      expect((await events.since(told.at(-1)?.position ?? 0, { limit: 9 })).map(({ id }) => id)).toEqual(["next-1"]);
    });

    test("E11: a conversation that others write to during its import counts as existing", async () => {
      const { log, events, conversations } = subject().storage;
      let written: Promise<Appended[]> | null = null;
      const imported = log.importConversations(
        from([part("a", LARGE), part("b", LARGE)]),
        never,
        onceStoring(() => {
          written = log.append([
            newEvent({ id: "own", conversation_id: "a" }),
            newEvent({ id: "a-2", conversation_id: "a" }),
          ]);
        }),
      );
      expect(await imported).toEqual([
        { conversation_id: "a", created: false, events: 0 },
        { conversation_id: "b", created: true, events: LARGE },
      ]);
      expect(await written).toMatchObject([
        { seq: 1, duplicate: false },
        { seq: 2, duplicate: false },
      ]);
      expect(await conversations.get("a")).toMatchObject({ event_count: 2 });
      expect((await events.list("a", { after: 0, limit: 9 })).map(({ id }) => id)).toEqual(["own", "a-2"]);
    });

    test("E2: an event id that others use during the import only aborts the import", async () => {
      const { log, events, conversations } = subject().storage;
      let written: Promise<Appended[]> | null = null;
      const imported = log.importConversations(
        from([part("a", LARGE), part("b", 1)]),
        never,
        onceStoring(() => {
          written = log.append([newEvent({ id: "a-1", conversation_id: "other" })]);
        }),
      );
      await expect(imported).rejects.toBeInstanceOf(Conflict);
      expect(await written).toMatchObject([{ seq: 1, duplicate: false }]);
      expect([await conversations.get("a"), await conversations.get("b")]).toEqual([null, null]);
      expect((await events.since(0, { limit: 9 })).map(({ id }) => id)).toEqual(["a-1"]);
    });

    test("E11: an aborted import leaves nothing, and another one can follow", async () => {
      const { log, events, conversations } = subject().storage;
      const given = new AbortController();
      const imported = log.importConversations(
        from([part("a", LARGE)]),
        given.signal,
        onceStoring(() => given.abort()),
      );
      // The second import is queued behind the first and does not see its result.
      const other = log.importConversations(from([part("a", LARGE + 1)]), never);
      await expect(imported).rejects.toThrow(/abort/i);
      expect(await other).toEqual([{ conversation_id: "a", created: true, events: LARGE + 1 }]);
      expect(await conversations.get("a")).toMatchObject({ event_count: LARGE + 1 });
      expect(await events.since(0, { limit: 2 * LARGE })).toHaveLength(LARGE + 1);
    });

    test("E11: two identical concurrent imports store one copy", async () => {
      const { log, events } = subject().storage;
      const both = [1, 2].map(() => log.importConversations(from([part("a", LARGE), part("b", 1)]), never));
      const created = (await Promise.all(both)).map((one) => one.map(({ created }) => created));
      // Either may be read first.
      expect(created.toSorted()).toEqual([
        [false, false],
        [true, true],
      ]);
      expect(await events.since(0, { limit: 2 * LARGE })).toHaveLength(LARGE + 1);
    });

    test("E11: progress is reported", async () => {
      const told: ImportProgress[] = [];
      await subject().storage.log.importConversations(from([part("a", LARGE), part("b", 1)]), never, (progress) =>
        told.push({ ...progress }),
      );
      expect([...new Set(told.map(({ phase }) => phase))]).toEqual(["reading", "waiting", "storing"]);
      expect(told.at(-1)).toEqual({ phase: "storing", conversations: 2, events: LARGE + 1, stored: LARGE + 1 });
    });

    test("E11: an import interrupted by the end of the process is removed at the next start", async () => {
      const { log } = subject().storage;
      const closed = Promise.withResolvers<void>();
      const imported = log.importConversations(
        from([part("a", LARGE)]),
        never,
        onceStoring(() => closed.resolve(subject().reopen())),
      );
      await expect(imported).rejects.toThrow();
      await closed.promise;
      const { storage } = subject();
      expect(await storage.events.head()).toBe(0);
      expect(await storage.log.append(newEvents("a", 1))).toMatchObject([{ seq: 1, position: 1, duplicate: false }]);
    });

    test("E11: what others write comes between the parts in which many conversations become visible", async () => {
      const { log, events, conversations } = subject().storage;
      const imported = log.importConversations(many(), never);
      const beside = await appendUntil(log, settled(imported));
      expect(await imported).toEqual(MANY.map((conversation_id) => ({ conversation_id, created: true, events: 1 })));
      expect((await conversations.facets()).total).toBe(MANY.length + 1);
      const ids = (await events.since(0, { limit: MANY.length + beside })).map(({ id }) => id);
      expect(ids.filter((id) => !id.startsWith("beside"))).toEqual(MANY.map((id) => `${id}-1`));
      const inside = ids.slice(ids.indexOf(`${MANY[0]}-1`), ids.indexOf(`${MANY.at(-1)}-1`));
      expect(inside.some((id) => id.startsWith("beside"))).toBe(true);
    });

    test("E11: an import interrupted while it becomes visible leaves whole conversations, and can be repeated", async () => {
      const { log, conversations } = subject().storage;
      const interrupted = expect(log.importConversations(many(), never)).rejects.toThrow();
      await appendUntil(log, async () => (await conversations.get(FIRST)) !== null);
      await subject().reopen();
      await interrupted;
      const { storage } = subject();
      const left = (await storage.conversations.facets()).total - 1;
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThan(MANY.length);
      expect(await subject().faults()).toEqual([]);
      const again = await storage.log.importConversations(many(), never);
      expect(again.map(({ created }) => created)).toEqual(MANY.map((_, index) => index >= left));
      expect((await storage.conversations.facets()).total).toBe(MANY.length + 1);
    });

    test("E2: an event id that others use while an import becomes visible removes what is not visible yet", async () => {
      const { log, conversations, events } = subject().storage;
      const refused = expect(log.importConversations(many(), never)).rejects.toBeInstanceOf(Conflict);
      await appendUntil(log, async () => (await conversations.get(FIRST)) !== null);
      await log.append([newEvent({ id: `${LAST}-1`, conversation_id: "other" })]);
      await refused;
      expect(await conversations.get(FIRST)).toMatchObject({ event_count: 1 });
      expect(await conversations.get(LAST)).toBeNull();
      const [next] = await log.append(newEvents("next", 1));
      expect(await events.head()).toBe(next?.position);
      expect(await subject().faults()).toEqual([]);
    });

    test("close: an import in progress is aborted", async () => {
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

/** More events than one page of an import. */
const LARGE = 1_200;

/** Conversations of an import that becomes visible in several parts. */
const MANY = Array.from({ length: 1_000 }, (_, n) => `many-${n}`);
const [FIRST = "", LAST = ""] = [MANY[0], MANY.at(-1)];

function many(): AsyncIterable<Part> {
  return from(MANY.map((id) => part(id, 1)));
}

/** Tells whether it has ended, in whichever way. */
export function settled(work: Promise<unknown>): () => Promise<boolean> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  return async () => isOver;
}

/** Appends an event after the other until it is over; returns how many. */
async function appendUntil(log: Log, isOver: () => Promise<boolean>): Promise<number> {
  let count = 0;
  for (; !(await isOver()); count += 1)
    await log.append([newEvent({ id: `beside-${count}`, conversation_id: "beside" })]);
  return count;
}

/** Runs `work` once, when so many events of the import are stored, in whole pages. */
export function onceStoring(work: () => void, events = 1): (progress: ImportProgress) => void {
  let isDone = false;
  return ({ stored }) => {
    if (isDone || stored < events) return;
    isDone = true;
    work();
  };
}

/** `count` events of a conversation, to be imported. */
export function part(conversationId: string, count: number): Part {
  return { conversation_id: conversationId, events: newEvents(conversationId, count) };
}

/** The source of an import. */
export async function* from(parts: Part[]): AsyncIterable<Part> {
  yield* parts;
}
