import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BadCursor } from "../../errors.ts";
import type { Conversation, ConversationQuery, Conversations, NewEvent } from "../../repositories.ts";
import { eachTime, type MakeSubject, newEvent, newMessage, searched } from "../subject.ts";

/** The contract of `Conversations`. */
export function conversationsContract(make: MakeSubject): void {
  describe("Conversations", () => {
    const subject = eachTime(make);

    test("C1: conversations whose names are as long as they may be are listed, in letters that take the most bytes", async () => {
      const { log, conversations } = subject().storage;
      // No two of a name's letters are alike, so that nothing of it can be stored shorter.
      const name = (length: number, from: number) =>
        String.fromCodePoint(...Array.from({ length }, (_, index) => 0x4e00 + from + index * 37));
      const [id, agent_id, channel, stage] = [name(200, 0), name(200, 1), name(100, 2), name(100, 3)];
      await log.append([
        newEvent({ id: "begins", conversation_id: id, type: "conversation.created", payload: { agent_id, channel } }),
        newEvent({ id: "enters", conversation_id: id, type: "stage.changed", payload: { from: null, to: stage } }),
      ]);
      const { items } = await conversations.list({ limit: 5, agent_id, channel, stage });
      expect(items).toMatchObject([{ id, agent_id, channel, stage }]);
    });

    test("E4: a conversation's row is reduced from its events", async () => {
      const { log, conversations } = subject().storage;
      await log.append([
        newEvent({
          id: "1",
          type: "conversation.created",
          payload: { title: "Refund", channel: "telegram", user_id: "alice", agent_id: "bob" },
          occurred_at: "2026-01-01T00:00:00Z",
        }),
        newMessage("2", "Hello", { occurred_at: "2026-01-01T00:00:05Z" }),
        newEvent({ id: "3", type: "run.started", run_id: "r", payload: {}, occurred_at: "2026-01-01T00:00:09Z" }),
      ]);
      await log.append([
        newEvent({
          id: "4",
          type: "stage.changed",
          payload: { from: null, to: "sales" },
          occurred_at: "2026-01-01T00:00:07Z",
        }),
      ]);
      const row = await conversations.get("c");
      expect(row).toMatchObject({
        id: "c",
        status: "running",
        title: "Refund",
        subject: "Hello",
        channel: "telegram",
        user_id: "alice",
        agent_id: "bob",
        stage: "sales",
        message_count: 1,
        event_count: 4,
        last_seq: 4,
        created_at: "2026-01-01T00:00:00.000Z",
        updated_at: "2026-01-01T00:00:09.000Z",
        forked_from: null,
      });
      expect(row).not.toHaveProperty("open_runs");
      expect((await conversations.list({ limit: 1 })).items).toEqual([row]);
      expect(await conversations.get("unknown")).toBeNull();
    });

    test("E4: an event from the future does not make a conversation newer than it was recorded", async () => {
      const { log, conversations } = subject().storage;
      await log.append([newEvent({ id: "1", occurred_at: "2999-01-01T00:00:00Z" })]);
      const row = await conversations.get("c");
      expect(Date.parse(row?.updated_at ?? "")).toBeLessThanOrEqual(Date.now());
      expect(row?.created_at).toBe(row?.updated_at);
    });

    test("E14: filters are applied", async () => {
      const { log, conversations } = subject().storage;
      await log.append([
        ...conversation("a", { channel: "web", agent_id: "x" }, "2026-01-01T00:00:00Z"),
        ...conversation("b", { channel: "web", agent_id: "y" }, "2026-01-02T00:00:00Z"),
        newEvent({
          id: "b2",
          conversation_id: "b",
          type: "manager.alerted",
          payload: { text: "help" },
          occurred_at: "2026-01-02T00:00:00Z",
        }),
        ...conversation("c", { channel: "telegram", agent_id: "y" }, "2026-01-03T00:00:00Z"),
        newEvent({
          id: "c2",
          conversation_id: "c",
          type: "stage.changed",
          payload: { from: null, to: "sales" },
          occurred_at: "2026-01-03T00:00:00Z",
        }),
      ]);
      const found = async (query: Partial<ConversationQuery>) =>
        ids((await conversations.list({ limit: 10, ...query })).items);
      expect(await found({})).toEqual(["c", "b", "a"]);
      expect(await found({ channel: "web" })).toEqual(["b", "a"]);
      expect(await found({ agent_id: "y" })).toEqual(["c", "b"]);
      expect(await found({ status: "escalated" })).toEqual(["b"]);
      expect(await found({ stage: "sales" })).toEqual(["c"]);
      expect(await found({ channel: "web", agent_id: "y" })).toEqual(["b"]);
      expect(await found({ channel: "none" })).toEqual([]);
      expect(await found({ from: "2026-01-02T00:00:00Z" })).toEqual(["c", "b"]);
      expect(await found({ to: "2026-01-02T00:00:00Z" })).toEqual(["a"]);
      expect(await conversations.facets()).toEqual({
        total: 3,
        awaiting: 0,
        alerts: 1,
        statuses: { idle: 2, running: 0, waiting: 0, escalated: 1, failed: 0 },
        channels: ["web", "telegram"],
        stages: ["sales"],
        agents: ["y", "x"],
        more: { channels: 0, stages: 0, agents: 0 },
      });
    });

    test("filters list the 100 most frequent values, and the number of others", async () => {
      const { log, conversations } = subject().storage;
      const named = Array.from({ length: 130 }, (_, n) =>
        conversation(
          `a${n}`,
          { channel: "web", agent_id: `agent-${String(n).padStart(3, "0")}` },
          "2026-01-01T00:00:00Z",
        ),
      );
      const often = conversation("b", { channel: "web", agent_id: "agent-129" }, "2026-01-01T00:00:00Z");
      await log.append([...named, often].flat());
      const { agents, more } = await conversations.facets();
      expect(agents).toHaveLength(100);
      expect(agents.slice(0, 2)).toEqual(["agent-129", "agent-000"]);
      expect(more).toEqual({ channels: 0, stages: 0, agents: 30 });
    });

    test("E11: pages in both directions have each conversation once, newest first, then by id", async () => {
      const second = fc.integer({ min: 0, max: 3 });
      await fc.assert(
        fc.asyncProperty(
          fc.array(second, { maxLength: 17 }),
          fc.integer({ min: 1, max: 6 }),
          async (seconds, limit) => {
            const own = await make();
            try {
              const { log, conversations } = own.storage;
              await log.append(
                seconds.flatMap((at, index) => conversation(`c${index}`, {}, `2026-01-01T00:00:0${at}Z`)),
              );
              const order = seconds
                .map((at, index) => ({ at, id: `c${index}` }))
                .sort((a, b) => b.at - a.at || (a.id < b.id ? -1 : 1))
                .map(({ id }) => id);
              const forward = await pagesOf(conversations, { limit });
              expect(forward.flat()).toEqual(order);
              expect(await pagesBackOf(conversations, { limit })).toEqual(forward);
            } finally {
              await own.dispose();
            }
          },
        ),
        { numRuns: 15 },
      );
    });

    test("E11: a foreign cursor is refused, also in a search", async () => {
      const { conversations } = subject().storage;
      await expect(conversations.list({ limit: 1, cursor: "x" })).rejects.toThrow(BadCursor);
      await expect(conversations.list({ limit: 1, cursor: "x", q: "word" })).rejects.toThrow(BadCursor);
    });

    describe("search", () => {
      const texts: [id: string, title: string | null, messages: string[]][] = [
        [
          "order-1001",
          "Возврат билета",
          ["Здравствуйте, верните деньги за билет", "Деньги вернём завтра, до свидания"],
        ],
        ["order-1002", "Refund", ["Please refund the café visit", 'It is about 50% of "all" OR nothing*']],
        ["order-1003", null, ["nothing of note"]],
      ];
      const search = async (q: string, more: Partial<ConversationQuery> = {}) => {
        await subject().storage.log.append(
          texts.flatMap(([id, title, messages], index) => [
            ...conversation(id, title === null ? {} : { title }, `2026-01-0${index + 1}T00:00:00Z`),
            ...messages.map((text, place) =>
              newMessage(`${id}/${place}`, text, {
                conversation_id: id,
                occurred_at: `2026-01-0${index + 1}T00:00:01Z`,
              }),
            ),
          ]),
        );
        return searched(subject().storage.conversations, { q, limit: 10, ...more });
      };

      test("E14: finds messages with all words, ignoring case and accents, the last as a prefix; also titles and ids", async () => {
        await search("");
        const { conversations } = subject().storage;
        const expected: [q: string, found: string[]][] = [
          ["деньги билет", ["order-1001"]],
          ["ДЕНЬГИ", ["order-1001"]],
          ["cafe", ["order-1002"]],
          ["noth", ["order-1003", "order-1002"]],
          ["noth note", []],
          ["возврат", ["order-1001"]],
          ["order-1003", ["order-1003"]],
          ["order-100", ["order-1003", "order-1002", "order-1001"]],
          ["absent", []],
        ];
        for (const [q, found] of expected)
          expect(ids((await searched(conversations, { q, limit: 10 })).items), q).toEqual(found);
      });

      test("E14: input is always words, never syntax", async () => {
        await search("");
        const { conversations } = subject().storage;
        const typed = [
          '"',
          "50%",
          "a AND",
          "NEAR(",
          "content:x",
          "^x",
          "-x",
          "()",
          "* * *",
          "†",
          "\0",
          "a\0b",
          "{a b}",
          "x + y",
          "'; --",
        ];
        for (const q of typed) expect((await conversations.list({ q, limit: 10 })).next, q).toBeNull();
        expect(ids((await searched(conversations, { q: '"all" OR nothing*', limit: 10 })).items)).toEqual([
          "order-1002",
        ]);
        await fc.assert(
          fc.asyncProperty(fc.string({ unit: "binary" }), async (q) => {
            await conversations.list({ q, limit: 1 });
          }),
        );
      });

      test("E14: a row has its newest matching message, with marked words", async () => {
        const [row] = (await search("день")).items;
        expect(row?.hit).toEqual({
          seq: 3,
          type: "message.created",
          where: "message",
          role: "user",
          path: "content",
          parts: [
            { text: "Деньги", marked: true },
            { text: " вернём завтра, до свидания", marked: false },
          ],
        });
        const [titled] = (await search("Возврат")).items;
        expect(titled).not.toHaveProperty("hit");
      });

      test("E14: filters and pages hold in a search", async () => {
        expect(ids((await search("order", { from: "2026-01-02T00:00:00Z" })).items)).toEqual([
          "order-1003",
          "order-1002",
        ]);
        const { conversations } = subject().storage;
        expect(await pagesOf(conversations, { q: "order", limit: 2 })).toEqual([
          ["order-1003", "order-1002"],
          ["order-1001"],
        ]);
        expect(await pagesBackOf(conversations, { q: "order", limit: 2 })).toEqual([
          ["order-1003", "order-1002"],
          ["order-1001"],
        ]);
      });

      test("E14: a word in thousands of messages is found like any other", async () => {
        const { log, conversations } = subject().storage;
        // One conversation has the word thousands of times, one in its title only, one not at all.
        const says: [id: string, title: string, texts: string[]][] = [
          ["one", "First", Array.from({ length: 5_200 }, (_, place) => `common ${place}`)],
          ["two", "Second", ["nothing"]],
          ["three", "A common title", ["nothing"]],
          ["four", "Fourth", ["so common", "Common, and later", "nothing"]],
        ];
        for (const [day, [id, title, texts]] of says.entries()) {
          const at = { conversation_id: id, occurred_at: `2026-01-0${day + 1}T00:00:01Z` };
          await log.append([
            ...conversation(id, { title, channel: id === "one" ? "web" : "api" }, at.occurred_at),
            ...texts.map((text, place) => newMessage(`${id}/${place}`, text, at)),
          ]);
        }
        const { items } = await searched(conversations, { q: "comm", limit: 10 });
        expect(items.map(({ id, hit }) => [id, hit?.seq, hit?.parts.map(({ text }) => text).join("")])).toEqual([
          ["four", 3, "Common, and later"],
          ["three", undefined, undefined],
          ["one", 5_201, "common 5199"],
        ]);
        const pages = [["four", "three"], ["one"]];
        expect(await pagesOf(conversations, { q: "common", limit: 2 })).toEqual(pages);
        expect(await pagesBackOf(conversations, { q: "common", limit: 2 })).toEqual(pages);
        expect(ids((await conversations.list({ q: "common", limit: 10, channel: "web" })).items)).toEqual(["one"]);
        expect(ids((await conversations.list({ q: "common later", limit: 10 })).items)).toEqual(["four"]);
      });

      test("E14: events are also found, with step and path; messages have priority", async () => {
        const { log, conversations } = subject().storage;
        const of = (id: string, type: string, payload: NewEvent["payload"]) =>
          newEvent({ id: `${id}/${type}`, conversation_id: id, type, payload });
        const call = { call_id: "pay", tool: "refund" };
        await log.append([
          of("called", "call.started", { ...call, params: { order: "A-77", amount: 48213 } }),
          of("called", "call.failed", { ...call, error: { code: "LIMIT", message: "The tariff forbids it" } }),
          of("wrote", "state.written", { path: "†state.deal", value: { title: "Новый тариф" } }),
          of("said", "message.created", { message_id: "m", role: "user", content: "Which tariff is it?" }),
          of("said", "log", "tariff looked up"),
          of("prompted", "prompt.rendered", { prompt: "You sell tariff plans" }),
          { ...of("none", "log", "tariff"), conversation_id: null },
        ]);
        const hits = async (q: string) =>
          (await searched(conversations, { q, limit: 9 })).items.map(({ id, hit }) => [
            id,
            hit && { ...hit, parts: hit.parts.map(({ text, marked }) => (marked ? `[${text}]` : text)).join("") },
          ]);
        const failed = { seq: 2, type: "call.failed", where: "event", role: null, path: "error.message" };
        const said = { seq: 1, type: "message.created", where: "message", role: "user", path: "content" };
        expect(new Map((await hits("tarif")) as [string, unknown][])).toEqual(
          new Map<string, unknown>([
            ["called", { ...failed, parts: "The [tariff] forbids it" }],
            ["said", { ...said, parts: "Which [tariff] is it?" }],
          ]),
        );
        const started = { seq: 1, type: "call.started", where: "event", role: null, path: "params.amount" };
        expect(await hits("48213")).toEqual([["called", { ...started, parts: "[48213]" }]]);
        expect(await hits("a-77 48213")).toMatchObject([["called", { seq: 1 }]]);
        expect(await hits("a-77 tariff")).toEqual([]);
        const written = { seq: 1, type: "state.written", where: "state", role: null, path: "†state.deal.title" };
        expect(await hits("тариф")).toEqual([["wrote", { ...written, parts: "Новый [тариф]" }]]);
      });

      test("E14: the start of a huge payload is found", async () => {
        const { log, conversations } = subject().storage;
        const output = { first: "needle", text: "hay ".repeat(500_000), last: "thimble" };
        await log.append([newEvent({ id: "e", type: "call.succeeded", payload: { call_id: "a", tool: "t", output } })]);
        const found = async (q: string) => (await searched(conversations, { q, limit: 9 })).items.length;
        expect([await found("needle"), await found("hay"), await found("thimble")]).toEqual([1, 1, 1]);
        await log.append([
          newEvent({ id: "many", conversation_id: "many", payload: Array(5_000).fill("straw").concat("pin") }),
        ]);
        expect([await found("straw"), await found("pin")]).toEqual([1, 0]);
      });

      test("E14: a new title is found, the old one is not", async () => {
        await search("");
        const { log, conversations } = subject().storage;
        await log.append([
          newEvent({
            id: "t",
            conversation_id: "order-1002",
            type: "conversation.titled",
            payload: { title: "Chargeback" },
          }),
        ]);
        expect(ids((await searched(conversations, { q: "chargeback", limit: 10 })).items)).toEqual(["order-1002"]);
        expect((await conversations.list({ q: "Refund visit", limit: 10 })).items).toHaveLength(1);
        expect(ids((await conversations.list({ q: "order 1002 Refund", limit: 10 })).items)).toEqual([]);
      });
    });
  });
}

function conversation(
  id: string,
  payload: { title?: string; channel?: string; agent_id?: string },
  at: string,
): NewEvent[] {
  return [
    newEvent({ id: `${id}/created`, conversation_id: id, type: "conversation.created", payload, occurred_at: at }),
  ];
}

function ids(rows: Conversation[]): string[] {
  return rows.map(({ id }) => id);
}

async function pagesOf(conversations: Conversations, query: ConversationQuery): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await conversations.list({ ...query, cursor });
    expect(page.prev === null).toBe(cursor === undefined);
    pages.push(ids(page.items));
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return pages;
}

/** The same pages, read from the last to the first. */
async function pagesBackOf(conversations: Conversations, query: ConversationQuery): Promise<string[][]> {
  let page = await conversations.list(query);
  while (page.next !== null) page = await conversations.list({ ...query, cursor: page.next });
  const pages = [ids(page.items)];
  while (page.prev !== null) {
    page = await conversations.list({ ...query, cursor: page.prev });
    pages.unshift(ids(page.items));
  }
  return pages;
}
