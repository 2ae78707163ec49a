import { setImmediate as turnOfLoop } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Conflict } from "../../errors.ts";
import type { ImportProgress, NewEvent } from "../../repositories.ts";
import type { Storage } from "../../storage.ts";
import { conversation, counted } from "../rollup/counted.ts";
import { eachTime, type MakeSubject, newEvent, newEvents, newMessage, searched } from "../subject.ts";
import { from, onceStoring, type Part, part, settled } from "./import.ts";
import { prepared } from "./spans.ts";

/** The events of a page of an import (`db/import/spool.ts`). */
const PAGE = 250;

/** Fills the first page, so that what follows is on the second, and is what the third goes on with. */
const BEFORE = part("before", PAGE);

/** A turn with a call, and a message; with the ids of `turn("a")`, also where it is in another conversation. */
function turn(id: string): NewEvent[] {
  return [...conversation({ id: "a" }), newMessage("a-said", "overheard")].map((event) => ({
    ...event,
    conversation_id: id,
  }));
}

/** The second page and others: one conversation, which begins with a turn. */
const TURN: Part = {
  conversation_id: "a",
  events: [...turn("a"), ...newEvents("a-more", 4 * PAGE).map((event) => ({ ...event, conversation_id: "a" }))],
};

/** When an append is queued: with the page that has its ids, in the same turn of the event loop, or later. */
const TIMES: [name: string, at: (append: () => void, cancel: () => void) => (progress: ImportProgress) => void][] = [
  ["just before the page", (append, cancel) => both(onceStoring(append, PAGE), onceStoring(cancel, 2 * PAGE))],
  [
    "just after the page",
    // When progress is reported, the next page is queued by what follows without a pause.
    (append, cancel) =>
      both(
        onceStoring(() => queueMicrotask(append), PAGE),
        onceStoring(cancel, 2 * PAGE),
      ),
  ],
  ["when the page is stored", (append, cancel) => onceStoring(() => both(append, cancel)(), 2 * PAGE)],
  // Of what is removed, a part is left when it is written.
  [
    "while the pages are removed",
    (append, cancel) => onceStoring(() => both(cancel, () => process.nextTick(append))(), 5 * PAGE),
  ],
];

function both<T extends unknown[]>(...works: ((...given: T) => void)[]): (...given: T) => void {
  return (...given) => {
    for (const work of works) work(...given);
  };
}

/** What every implementation of `Log.importConversations` leaves of others' events when it is cancelled: all of them. */
export function cancelledImportsContract(make: MakeSubject): void {
  describe("A cancelled import", () => {
    const subject = eachTime(make);
    const never = new AbortController().signal;

    /** Expects the log to have just these conversations, in this order, and all that is derived from it to say the same. */
    const expectJust = async (...expected: NewEvent[][]) => {
      const all = expected.flat();
      const ids = [...new Set(all.map(({ conversation_id }) => conversation_id ?? ""))];
      const stands = async ({ events, conversations, messages }: Storage) => {
        const log = await events.since(0, { limit: 9_999 });
        expect(log.map(({ id, conversation_id }) => [id, conversation_id])).toEqual(
          all.map(({ id, conversation_id }) => [id, conversation_id]),
        );
        expect(await events.head()).toBe(log.at(-1)?.position);
        expect((await conversations.facets()).total).toBe(ids.length);
        for (const id of ids) {
          const own = all.filter((event) => event.conversation_id === id);
          expect((await events.list(id, { after: 0, limit: 9_999 })).map(({ id, seq }) => [id, seq])).toEqual(
            own.map((event, index) => [event.id, index + 1]),
          );
          expect(await conversations.get(id)).toMatchObject({ event_count: own.length });
          expect((await messages.list(id, { limit: 9 })).items.map(({ seq }) => seq)).toEqual(
            own.flatMap(({ type }, index) => (type === "message.created" ? [index + 1] : [])),
          );
        }
        const found = await searched(conversations, { q: "overheard", limit: 9 });
        expect(found.items.map(({ id }) => id)).toEqual(
          all.flatMap(({ type, conversation_id }) => (type === "message.created" ? [conversation_id] : [])),
        );
      };
      await stands(subject().storage);
      const turns = all.filter(({ type }) => type === "run.started").length;
      expect((await counted(subject().storage)).now).toMatchObject({ conversations: turns, turns, calls: turns });
      expect(await subject().faults()).toEqual([]);
      // The same from the disk.
      await subject().reopen();
      await stands(subject().storage);
    };

    describe.each(TIMES)("an append %s", (_, at) => {
      test.each([
        ["to its conversation", "a"],
        ["of its events' ids to another conversation", "other"],
      ])("E11: %s stays, once and whole", async (_, id) => {
        const { log } = subject().storage;
        const given = new AbortController();
        const appended = Promise.withResolvers<unknown>();
        const imported = log.importConversations(
          from([BEFORE, TURN]),
          given.signal,
          at(
            () => appended.resolve(log.append(turn(id))),
            () => given.abort(),
          ),
        );
        await expect(imported).rejects.toThrow();
        expect(await appended.promise).toMatchObject(
          turn(id).map((_, index) => ({ conversation_id: id, seq: index + 1, duplicate: false })),
        );
        await expectJust(turn(id));
        // Nothing of it is left that another one would meet.
        const again = await subject().storage.log.importConversations(from([BEFORE]), never);
        expect(again).toEqual([{ conversation_id: "before", created: true, events: PAGE }]);
      });
    });

    test("E11: an import that waits behind it is whole, also with its ids in another conversation", async () => {
      const { log } = subject().storage;
      const given = new AbortController();
      const begun = Promise.withResolvers<void>();
      const cancelled = log.importConversations(
        from([BEFORE, TURN]),
        given.signal,
        both(
          onceStoring(begun.resolve),
          onceStoring(() => given.abort(), 2 * PAGE),
        ),
      );
      const whole: Part[] = [{ conversation_id: "b", events: turn("b") }, BEFORE, part("after", 2 * PAGE)];
      const imported = begun.promise.then(() => log.importConversations(from(whole), never));
      await expect(cancelled).rejects.toThrow(/abort/i);
      expect(await imported).toEqual(
        whole.map(({ conversation_id, events }) => ({ conversation_id, created: true, events: events.length })),
      );
      await expectJust(...whole.map(({ events }) => events));
    });

    test.each([
      ["waits", ({ phase }: ImportProgress) => phase === "waiting"],
      ["is stored", ({ stored }: ImportProgress) => stored >= 2 * PAGE],
    ])("E11: cancelled while it %s, it leaves the import before it whole", async (_, isThere) => {
      const { log } = subject().storage;
      const given = new AbortController();
      const begun = Promise.withResolvers<void>();
      const imported = log.importConversations(from([BEFORE, TURN]), never, onceStoring(begun.resolve));
      await begun.promise;
      const cancelled = log.importConversations(from([BEFORE, part("after", 3 * PAGE)]), given.signal, (progress) => {
        if (isThere(progress)) given.abort();
      });
      await expect(cancelled).rejects.toThrow(/abort/i);
      expect(await imported).toMatchObject([{ created: true }, { created: true }]);
      await expectJust(BEFORE.events, TURN.events);
    });

    test("E15: spans whose events it has wait, or are told, as if there were no import", async () => {
      const { log, spans, events } = subject().storage;
      const traces = ["0af7651916cd43dd8448eb211c80319c", "1af7651916cd43dd8448eb211c80319c"] as const;
      const span = { span_id: "0000000000000001", parent_span_id: null, content: "{}" };
      const eventsOf = (trace: string, conversation_id: string) =>
        ["one", "two"].map((what) => newEvent({ id: `otlp:${trace}:${span.span_id}:${what}`, conversation_id }));
      const begun = Promise.withResolvers<void>();
      const imported = log.importConversations(
        // Long enough to be there until the spans are told.
        from([...traces.map((id) => ({ conversation_id: id, events: eventsOf(id, id) })), part("after", 80 * PAGE)]),
        never,
        onceStoring(begun.resolve),
      );
      const refused = expect(imported).rejects.toBeInstanceOf(Conflict);
      await begun.promise;
      const [waits, isTold] = traces;
      const most = { spans: 9, characters: 99 };
      expect(await spans.keep(traces.map((trace_id) => ({ ...span, trace_id })))).toEqual(traces);
      const { upTo, told } = await spans.news(isTold, [], most);
      expect(told).toEqual([]);
      const own = eventsOf(isTold, "own");
      await spans.tell(isTold, upTo, own.map(prepared), true);
      await refused;
      expect((await events.since(0, { limit: 9 })).map(({ id }) => id)).toEqual(own.map(({ id }) => id));
      expect(await spans.waiting()).toMatchObject([{ trace_id: waits }]);
      expect(await spans.news(waits, [], most)).toMatchObject({ spans: [{ ...span, trace_id: waits }], told: [] });
    });

    test("E11: who follows the log is told of what others append meanwhile, and of nothing that is removed", async () => {
      // What was there before the start is read from the disk, what comes later from memory.
      await subject().storage.log.append(newEvents("early", 1));
      await subject().reopen();
      const { log, events } = subject().storage;
      const before = subject().commits.length;
      const given = new AbortController();
      const others = ["a-1", "before-1", "late"].map((id) => newEvent({ id, conversation_id: "x" }));
      const append = (index: number) => void log.append(others.slice(index, index + 1));
      const imported = log.importConversations(
        from([BEFORE, TURN]),
        given.signal,
        both(
          onceStoring(() => process.nextTick(append, 0), PAGE),
          onceStoring(() => append(1), 3 * PAGE),
          onceStoring(() => given.abort(), 4 * PAGE),
          onceStoring(() => process.nextTick(append, 2), 4 * PAGE),
        ),
      );
      const isOver = settled(imported);
      /** Reads from one position to the next until the import is over and nothing more comes. */
      const follow = async (read: (position: number) => Promise<{ position: number }[]>) => {
        const told: number[] = [];
        for (let position = 0, isLast = false; ; ) {
          const page = await read(position);
          told.push(...page.map((event) => event.position));
          position = page.at(-1)?.position ?? position;
          if (isLast && page.length === 0) return told;
          isLast = await isOver();
          // What is read from memory leaves the import no time.
          await turnOfLoop();
        }
      };
      const followers = [
        follow((position) => events.since(position, { limit: 9 })),
        follow((position) => events.headers(position, 9)),
        // Who begins anew each time, and reads what is not in memory.
        follow(async (position) =>
          (await events.since(0, { limit: 9_999 })).filter((event) => event.position > position),
        ),
      ];
      await expect(imported).rejects.toThrow(/abort/i);
      for (const told of await Promise.all(followers)) expect(told).toEqual([1, 2, 3, 4]);
      // Who waits is woken with positions of what it finds: with a later one it would pass over what comes next.
      expect(subject().commits.slice(before)).toEqual([2, 3, 4]);
      await expectJust(newEvents("early", 1), others);
    });
  });
}
