import { describe, expect, test } from "vitest";
import { indexColumnsOf } from "../../../lib/session/events/event-index-columns.ts";
import { Conflict } from "../../errors.ts";
import type { NewEvent, PreparedEvent, WaitingSpan } from "../../repositories.ts";
import { eachTime, type MakeSubject, newEvent, newMessage } from "../subject.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const OTHER = "1af7651916cd43dd8448eb211c80319c";
const ALL = { spans: 1_000, characters: 1_000_000 };

/** What every implementation of `SpanStore` does: no span is lost, none is told twice. */
export function spansContract(make: MakeSubject): void {
  describe.each([
    ["in one process", false],
    ["over restarts", true],
  ])("Spans, %s", (_, restarts) => {
    const subject = eachTime(make);
    const store = () => subject().storage.spans;
    const keep = async (spans: WaitingSpan[]) => {
      const traces = await store().keep(spans);
      if (restarts) await subject().reopen();
      return traces;
    };
    const span = (n: number, parent: number | null = null, trace_id = TRACE): WaitingSpan => ({
      trace_id,
      span_id: idOf(n),
      parent_span_id: parent === null ? null : idOf(parent),
      content: JSON.stringify({ n, text: "привет" }),
    });
    const idOf = (n: number) => String(n).padStart(16, "0");
    const eventOf = (n: number, what = "log", more: Parameters<typeof newEvent>[0] | object = {}) =>
      newEvent({ id: `otlp:${TRACE}:${idOf(n)}:${what}`, run_id: `otlp:${TRACE}`, ...more });

    /** Maps the spans that are waiting. */
    const tell = async (events: NewEvent[], isLast: boolean) => {
      const { upTo } = await store().news(TRACE, [], ALL);
      await store().tell(TRACE, upTo, events.map(prepared), isLast);
    };

    test("E15: a span is kept until it is mapped, also after reopening", async () => {
      expect(await keep([span(1), span(2, 1)])).toEqual([TRACE]);
      await subject().reopen();
      expect(await store().waiting()).toEqual([
        { trace_id: TRACE, since: expect.any(Number), newest: expect.any(Number) },
      ]);
      const { spans, told } = await store().news(TRACE, [], ALL);
      expect(spans).toEqual([span(1), span(2, 1)]);
      expect(told).toEqual([]);
      await tell([eventOf(1), eventOf(2)], true);
      expect(await store().waiting()).toEqual([]);
      expect(await subject().storage.events.list("c", { after: 0, limit: 9 })).toHaveLength(2);
    });

    test("E15: a span that is waiting or mapped is not new, also within a request", async () => {
      expect(await keep([span(1), span(1)])).toEqual([TRACE]);
      expect(await keep([span(1)])).toEqual([]);
      await tell([eventOf(1)], true);
      expect(await keep([span(1)])).toEqual([]);
      expect(await keep([span(1, null, OTHER)])).toEqual([OTHER]);
      expect(await store().waiting()).toMatchObject([{ trace_id: OTHER }]);
    });

    test("E15: a trace is complete if the parents of waiting spans are waiting or mapped", async () => {
      await keep([span(3, 2)]);
      expect(await store().isWhole(TRACE)).toBe(false);
      await keep([span(2, 1)]);
      expect(await store().isWhole(TRACE)).toBe(false);
      await keep([span(1, null, OTHER)]);
      expect(await store().isWhole(TRACE)).toBe(false);
      await keep([span(1)]);
      expect(await store().isWhole(TRACE)).toBe(true);
      await tell([eventOf(1), eventOf(2), eventOf(3)], true);
      await keep([span(4, 3)]);
      expect(await store().isWhole(TRACE)).toBe(true);
    });

    test("E15: spans whose mapping was interrupted are mapped again, separately and from scratch", async () => {
      await keep([span(1), span(2, 1)]);
      await tell([eventOf(1), newMessage(`otlp:${TRACE}:${idOf(1)}:said.0`, "hello")], false);
      await keep([span(3, 1)]);
      await subject().reopen();
      const again = await store().news(TRACE, [], ALL);
      expect(again).toEqual({ spans: [span(1), span(2, 1)], told: [], upTo: expect.any(Number) });
      expect(await store().saidBefore("c", TRACE, 10)).toEqual([]);
      await tell([eventOf(1), eventOf(2)], true);
      expect(await subject().storage.events.list("c", { after: 0, limit: 9 })).toHaveLength(3);
      expect((await store().news(TRACE, [], ALL)).spans).toEqual([span(3, 1)]);
    });

    test("E15: mapped events are returned in order, with the requested payloads", async () => {
      await keep([span(1), span(2, 1)]);
      const call = { call_id: "c1", iteration: 2, tool: "pay" };
      await tell(
        [eventOf(2, "call.started", { type: "call.started", payload: call }), eventOf(1, "log", { payload: { n: 1 } })],
        true,
      );
      await keep([span(3, 1)]);
      const { told } = await store().news(TRACE, ["log"], ALL);
      expect(told).toEqual([
        {
          ...{ id: `otlp:${TRACE}:${idOf(2)}:call.started`, type: "call.started", conversation_id: "c" },
          ...{ run_id: `otlp:${TRACE}`, call_id: "c1", iteration: 2, payload: null },
        },
        expect.objectContaining({ type: "log", payload: { n: 1 } }),
      ]);
    });

    test("E15: spans that arrive during mapping are mapped the next time", async () => {
      await keep([span(1)]);
      const { upTo } = await store().news(TRACE, [], ALL);
      // A mapping does not outlive its process.
      await store().keep([span(2, 1)]);
      await store().tell(TRACE, upTo, [prepared(eventOf(1))], true);
      expect((await store().news(TRACE, [], ALL)).spans).toEqual([span(2, 1)]);
    });

    test.each([
      ["spans", { spans: 2, characters: 1_000_000 }],
      ["characters", { spans: 1_000, characters: 30 }],
    ])(
      "E15: a trace of more %s than are read at a time is told in parts, in the order in which they came",
      async (_, most) => {
        await keep([span(9), span(3, 9), span(1, 9)]);
        const first = await store().news(TRACE, [], most);
        expect(first.spans).toEqual([span(9), span(3, 9)]);
        await store().tell(TRACE, first.upTo, [prepared(eventOf(9))], false);
        await keep([span(2, 9)]);
        await subject().reopen();
        // A crash in the middle of mapping does not change which spans are mapped.
        expect((await store().news(TRACE, [], most)).spans).toEqual(first.spans);
        expect(await store().tell(TRACE, first.upTo, [eventOf(9), eventOf(3)].map(prepared), true)).toBe(true);
        const second = await store().news(TRACE, [], most);
        expect(second.spans).toEqual([span(1, 9), span(2, 9)]);
        expect(await store().tell(TRACE, second.upTo, [eventOf(1), eventOf(2)].map(prepared), true)).toBe(false);
      },
    );

    test("E15: of spans that came together, those that are told do not wait any more, and the others do", async () => {
      await keep([span(1), span(2, 1), span(1, null, OTHER)]);
      await tell([eventOf(1), eventOf(2)], true);
      await subject().reopen();
      expect(await store().waiting()).toMatchObject([{ trace_id: OTHER }]);
      expect(await keep([span(2, 1)])).toEqual([]);
      expect((await store().news(OTHER, [], ALL)).spans).toEqual([span(1, null, OTHER)]);
    });

    test("E15: spans whose events cannot be written wait as before", async () => {
      await keep([span(1), span(2, 1), span(1, null, OTHER)]);
      const { upTo } = await store().news(TRACE, [], ALL);
      const broken = { ...prepared(newMessage(`otlp:${TRACE}:${idOf(1)}:said`, "hello")), text: "{" };
      await expect(store().tell(TRACE, upTo, [prepared(eventOf(2)), broken], true)).rejects.toThrow();
      expect(await store().isWhole(TRACE)).toBe(true);
      expect(await keep([span(1)])).toEqual([]);
      expect((await store().news(TRACE, [], ALL)).spans).toEqual([span(1), span(2, 1)]);
      await subject().reopen();
      expect((await store().news(TRACE, [], ALL)).spans).toEqual([span(1), span(2, 1)]);
    });

    test("E15: a trace that is too large for memory waits like any other, and is told in the order in which it came", async () => {
      const large = [span(3, 9), span(9), span(1, 9), span(2, 9)].map((one) => ({
        ...one,
        content: JSON.stringify({ text: "x".repeat(600_000) }),
      }));
      for (const one of large) expect(await keep([one])).toEqual([TRACE]);
      for (const one of large) expect(await keep([one])).toEqual([]);
      const most = { spans: 3, characters: 10_000_000 };
      const first = await store().news(TRACE, [], most);
      expect(first.spans).toEqual(large.slice(0, 3));
      expect(
        await store().tell(
          TRACE,
          first.upTo,
          [3, 9, 1].map((n) => prepared(eventOf(n))),
          true,
        ),
      ).toBe(true);
      expect((await store().news(TRACE, [], most)).spans).toEqual(large.slice(3));
      await subject().reopen();
      expect((await store().news(TRACE, [], most)).spans).toEqual(large.slice(3));
    });

    test("E15: an existing event id, wherever it is, does not block the others", async () => {
      await subject().storage.log.append([eventOf(1, "log", { conversation_id: "elsewhere" })]);
      await keep([span(2)]);
      await tell([eventOf(1), eventOf(2)], true);
      expect((await subject().storage.events.list("c", { after: 0, limit: 9 })).map(({ id }) => id)).toEqual([
        eventOf(2).id,
      ]);
      expect(await store().waiting()).toEqual([]);
    });

    test("E15: an event that is refused does not block the others, and leaves nothing behind", async () => {
      const created = (agent_id: string, n: number) =>
        eventOf(n, "conversation", { type: "conversation.created", payload: { agent_id } });
      await subject().storage.log.append([created("a", 9)]);
      for (const [first, second, last] of [
        [1, 2, 3],
        [4, 5, 6],
      ] as const) {
        await keep([span(first), span(second, first), span(last, first)]);
        await tell([eventOf(first), created("b", second), eventOf(last), created("b", last)], true);
        expect(await store().waiting()).toEqual([]);
      }
      await subject().storage.log.append([newEvent({ id: "next" })]);
      const stored = await subject().storage.events.list("c", { after: 0, limit: 99 });
      expect(stored.map(({ id, seq }) => [id, seq])).toEqual(
        [created("a", 9), ...[1, 3, 4, 6].map((n) => eventOf(n)), { id: "next" }].map(({ id }, index) => [
          id,
          index + 1,
        ]),
      );
      expect(await subject().faults()).toEqual([]);
      expect(subject().logged).toContain("An event of a span was refused");
    });

    test("E15: events of a trace that was told at once are found by their ids, like any others", async () => {
      await keep([span(1), span(2, 1), span(3, 1)]);
      await tell([eventOf(1, "run.started"), eventOf(2), eventOf(3), eventOf(1, "run.ended")], true);
      for (const n of [1, 2, 3]) expect(await keep([span(n)])).toEqual([]);
      expect(await keep([span(4, 3)])).toEqual([TRACE]);
      expect(await store().isWhole(TRACE)).toBe(true);
      await tell([eventOf(2), eventOf(4), eventOf(4, "call.started")], true);
      expect(await keep([span(4)])).toEqual([]);
      const { log, events } = subject().storage;
      await expect(log.append([eventOf(2), eventOf(4)])).resolves.toMatchObject([
        { seq: 2, duplicate: true },
        { seq: 5, duplicate: true },
      ]);
      await expect(log.append([eventOf(3, "log", { conversation_id: "elsewhere" })])).rejects.toThrow(Conflict);
      const ids = [eventOf(1, "run.ended").id, eventOf(4).id, eventOf(9).id];
      expect(await events.seqs("c", ids)).toEqual(
        new Map([
          [ids[0], 4],
          [ids[1], 5],
        ]),
      );
      const { told } = await store().news(TRACE, [], ALL);
      expect(told.map(({ id }) => id)).toEqual((await events.list("c", { after: 0, limit: 9 })).map(({ id }) => id));
      expect(told).toHaveLength(6);
    });

    test("E15: events that are told at once are told once, also where one of them is there already", async () => {
      await subject().storage.log.append([eventOf(2, "log", { conversation_id: "elsewhere" })]);
      await keep([span(1), span(3, 1)]);
      await tell([eventOf(1), eventOf(2), eventOf(3), eventOf(3)], true);
      const list = async () => (await subject().storage.events.list("c", { after: 0, limit: 9 })).map(({ id }) => id);
      expect(await list()).toEqual([eventOf(1).id, eventOf(3).id]);
      await keep([span(1, null, OTHER), span(2, 1, OTHER)]);
      const other = (n: number, conversation_id: string) =>
        prepared(newEvent({ id: `otlp:${OTHER}:${idOf(n)}:log`, conversation_id }));
      const { upTo } = await store().news(OTHER, [], ALL);
      await store().tell(OTHER, upTo, [other(1, "d"), other(1, "d"), other(2, "e")], true);
      for (const n of [1, 2]) expect(await keep([span(n, null, OTHER)])).toEqual([]);
    });

    test("E15: earlier messages are the newest of users and agents, oldest first; an unknown conversation differs from an empty one", async () => {
      await subject().storage.log.append([
        newMessage("a", "one"),
        newMessage("b", "two", { role: "assistant" }),
        newMessage("c", "result", { role: "tool" }),
        newMessage("d", "three"),
      ]);
      expect(await store().saidBefore("c", TRACE, 2)).toEqual([
        { role: "assistant", content: "two" },
        { role: "user", content: "three" },
      ]);
      await subject().storage.log.append([newEvent({ id: "x", conversation_id: "empty" })]);
      expect(await store().saidBefore("empty", TRACE, 2)).toEqual([]);
      expect(await store().saidBefore("unknown", TRACE, 2)).toBeNull();
    });
  });
}

/** An event as what maps a trace gives it. */
export function prepared(event: NewEvent): PreparedEvent {
  return {
    ...event,
    text: JSON.stringify(event.payload),
    occurredAt: event.occurred_at === null ? null : Date.parse(event.occurred_at),
    columns: indexColumnsOf({ ...event, seq: 0, position: 0, recorded_at: "" }),
  };
}
