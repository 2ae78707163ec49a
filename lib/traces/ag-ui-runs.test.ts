import { type AGUIEvent, EventType } from "@ag-ui/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Appended, NewEvent } from "../../db/repositories.ts";
import { anyStream } from "../intake/ag-ui/testing/streams.ts";
import { eventProblems } from "../intake/new-event.ts";
import { folded, stored } from "../intake/testing/stored.ts";
import { createAgUiRuns } from "./ag-ui-runs.ts";

const NEVER = new AbortController().signal;

/** Runs told into a log of their own, by a clock that stands until it is set. */
function agUiRuns() {
  const log: NewEvent[] = [];
  const timers = new Set<() => void>();
  const needs = {
    log: {
      async append(events: NewEvent[]): Promise<Appended[]> {
        return events.map((event) => {
          const duplicate = log.some(({ id }) => id === event.id);
          if (!duplicate) log.push(event);
          return { id: event.id, conversation_id: event.conversation_id, seq: 1, position: 1, duplicate };
        });
      },
    },
    events: {
      list: async (id: string, { after, limit }: { after: number; limit: number }) =>
        stored(log.filter(({ conversation_id }) => conversation_id === id)).slice(after, after + limit),
    },
    clock: {
      now: () => 0,
      later(_: number, act: () => void) {
        timers.add(act);
        return () => timers.delete(act);
      },
    },
    logger: { error: () => undefined },
    patience: 1,
  };
  let runs = createAgUiRuns(needs);
  const send = (events: readonly AGUIEvent[], runId?: string) =>
    runs.take({
      permit: () => undefined,
      stored: () => undefined,
      bytes: lines(events),
      form: "lines",
      run: runId === undefined ? null : { threadId: "thread", runId },
      signal: NEVER,
    });
  return {
    log,
    send,
    /** The server starts again: what was in its memory is gone. */
    restart() {
      runs = createAgUiRuns(needs);
    },
    /** Time passes, until nobody waits any more. */
    wait() {
      for (const act of [...timers]) if (timers.delete(act)) act();
    },
  };
}

async function* lines(events: readonly AGUIEvent[]): AsyncGenerator<Uint8Array> {
  for (const event of events) yield Buffer.from(`${JSON.stringify(event)}\n`);
}

const runAt = (stream: readonly AGUIEvent[], index: number) => {
  const started = stream.slice(0, index).findLast(({ type }) => type === EventType.RUN_STARTED);
  return started?.type === EventType.RUN_STARTED ? started.runId : undefined;
};

/** Sends a stream in parts; each goes on with the run in which the one before ended, unless it begins one itself. */
async function sendCut(runs: ReturnType<typeof agUiRuns>, stream: readonly AGUIEvent[], cuts: readonly number[]) {
  const places = [...new Set(cuts.map((cut) => cut % stream.length))].filter((cut) => cut > 0).sort((a, b) => a - b);
  let from = 0;
  for (const to of [...places, stream.length]) {
    const isStart = stream[from]?.type === EventType.RUN_STARTED;
    await runs.send(stream.slice(from, to), isStart ? undefined : runAt(stream, from));
    from = to;
  }
}

const cuts = fc.array(fc.nat(100), { maxLength: 6 });

test("AG-UI: a stream cut anywhere into requests tells the same session, and sent again changes nothing", async () => {
  await fc.assert(
    fc.asyncProperty(anyStream, cuts, cuts, async (stream, first, second) => {
      const whole = agUiRuns();
      await whole.send(stream);
      expect(whole.log.flatMap(eventProblems)).toEqual([]);
      expect(folded(whole.log).warnings).toEqual([]);

      const cut = agUiRuns();
      await sendCut(cut, stream, first);
      expect(cut.log).toEqual(whole.log);

      await sendCut(cut, stream, second);
      expect(cut.log).toEqual(whole.log);
      cut.restart();
      await cut.send(stream);
      expect(cut.log).toEqual(whole.log);
    }),
    { numRuns: 300 },
  );
});

const RUN = { threadId: "thread", runId: "run" };
const started: AGUIEvent = { type: EventType.RUN_STARTED, ...RUN };
const finished: AGUIEvent = { type: EventType.RUN_FINISHED, ...RUN };
const said: AGUIEvent[] = [
  { type: EventType.TEXT_MESSAGE_START, messageId: "m", role: "assistant" },
  { type: EventType.TEXT_MESSAGE_CONTENT, messageId: "m", delta: "On its " },
  { type: EventType.TEXT_MESSAGE_CONTENT, messageId: "m", delta: "way" },
  { type: EventType.TEXT_MESSAGE_END, messageId: "m" },
];

test("AG-UI: a run that nobody goes on with says that it was broken off, and goes on when somebody does", async () => {
  const runs = agUiRuns();
  const answer = await runs.send([started, ...said.slice(0, 2)]);
  expect(answer).toMatchObject({ run_id: "run", ended: false, unfinished: [{ kind: "message", id: "m" }] });
  expect(folded(runs.log).runs.get("run")?.status).toBe("running");

  runs.wait();
  expect(folded(runs.log).runs.get("run")).toMatchObject({ status: "failed", error: { code: "broken_off" } });
  expect(folded(runs.log).messages).toEqual([]);

  await runs.send([started, ...said, finished]);
  runs.wait();
  expect(folded(runs.log).runs.get("run")).toMatchObject({ status: "finished", error: null });
  expect(folded(runs.log).messages.map(({ content }) => content)).toEqual(["On its way"]);
});

test("AG-UI: a later request goes on in time, and the run is not broken off", async () => {
  const runs = agUiRuns();
  await runs.send([started, ...said.slice(0, 2)]);
  await runs.send([...said.slice(2), finished], "run");
  runs.wait();
  expect(runs.log.map(({ type }) => type)).not.toContain("run.failed");
  expect(folded(runs.log).messages.map(({ content }) => content)).toEqual(["On its way"]);
});

test("AG-UI: what the server forgot is asked for again, with the line; what came before it stays", async () => {
  const runs = agUiRuns();
  await runs.send([started, ...said.slice(0, 2)]);
  runs.restart();
  await expect(
    runs.send([{ type: EventType.CUSTOM, name: "note", value: 1 }, ...said.slice(2)], "run"),
  ).rejects.toThrow("Line 2: TEXT_MESSAGE_CONTENT: the message m has not started, or its start has expired");
  expect(runs.log.at(-1)).toMatchObject({ type: "log", payload: { text: "note" } });
});

test("AG-UI: a run that was restored from the log counts on where it was", async () => {
  const runs = agUiRuns();
  const change = (value: number): AGUIEvent => ({
    type: EventType.STATE_DELTA,
    delta: [{ op: "add", path: "/order", value: { id: value, seen: true } }],
  });
  await runs.send([started, change(1)]);
  runs.restart();
  await runs.send([{ type: EventType.STATE_DELTA, delta: [{ op: "replace", path: "/order/id", value: 2 }] }], "run");
  const writes = runs.log.filter(({ type }) => type === "state.written").map(({ payload }) => payload);
  expect(writes).toEqual([
    { path: "†state", value: { order: { id: 1, seen: true } } },
    { path: "†state.order.id", value: 2 },
  ]);
});

test("AG-UI: an interrupt about a call waits for a confirmation, and the next run brings its answer", async () => {
  const runs = agUiRuns();
  const asked: AGUIEvent[] = [
    { type: EventType.TOOL_CALL_START, toolCallId: "pay", toolCallName: "payments.refund" },
    { type: EventType.TOOL_CALL_ARGS, toolCallId: "pay", delta: '{"amount": 120}' },
    { type: EventType.TOOL_CALL_END, toolCallId: "pay" },
    {
      type: EventType.RUN_FINISHED,
      ...RUN,
      outcome: {
        type: "interrupt",
        interrupts: [{ id: "i1", reason: "approval", message: "Refund 120?", toolCallId: "pay" }],
      },
    },
  ];
  await runs.send([started, ...asked]);
  const waiting = folded(runs.log);
  expect(waiting.runs.get("run")?.status).toBe("waiting");
  expect([...waiting.confirmations.values()]).toMatchObject([
    { status: "requested", description: "Refund 120?", action: { method: "payments.refund", params: { amount: 120 } } },
  ]);

  const next = { threadId: "thread", runId: "next" };
  const resume = [{ interruptId: "i1", status: "resolved" as const, payload: { approved: true } }];
  await runs.send([
    { type: EventType.RUN_STARTED, ...next, input: { ...next, messages: [], tools: [], context: [], resume } },
    { type: EventType.TOOL_CALL_RESULT, messageId: "r", toolCallId: "pay", content: '{"ok": true}' },
    { type: EventType.RUN_FINISHED, ...next },
  ]);
  const after = folded(runs.log);
  expect([...after.confirmations.values()]).toMatchObject([{ status: "approved" }]);
  expect([after.runs.get("run")?.status, after.runs.get("next")?.status]).toEqual(["finished", "finished"]);
  expect([...after.calls.values()]).toMatchObject([{ id: "pay", status: "succeeded", output: { ok: true } }]);
  expect(after.warnings).toEqual([]);
});

test("AG-UI: a mistake names its line, and nothing of its event is told", async () => {
  const runs = agUiRuns();
  const chunk: AGUIEvent = { type: EventType.TEXT_MESSAGE_CHUNK, messageId: "m", delta: "Before" };
  const wrong: AGUIEvent = { type: EventType.STATE_DELTA, delta: [{ op: "remove", path: "/nothing" }] };
  await expect(runs.send([started, chunk, wrong])).rejects.toMatchObject({
    name: "AgUiFault",
    place: 3,
    path: "/delta",
  });
  expect(runs.log.map(({ type }) => type)).toEqual(["conversation.created", "run.started", "message.created"]);
});

test("AG-UI: small changes of a large array wait by what they are told as, not by what was sent", async () => {
  const stored = Promise.withResolvers<Appended[]>();
  const runs = createAgUiRuns({
    log: { append: () => stored.promise },
    events: { list: async () => [] },
    clock: { now: () => 0, later: () => () => true },
    logger: { error: () => undefined },
    patience: 1,
  });
  let read = 0;
  const begun = Promise.withResolvers<void>();
  async function* stream(): AsyncGenerator<Uint8Array> {
    const snapshot = { list: Array<string>(4).fill("x".repeat(1_000_000)) };
    yield* lines([
      { type: EventType.RUN_STARTED, threadId: "thread", runId: "run" },
      { type: EventType.STATE_SNAPSHOT, snapshot },
    ]);
    begun.resolve();
    for (; read < 100; read++)
      yield* lines([{ type: EventType.STATE_DELTA, delta: [{ op: "replace", path: "/list/0", value: read }] }]);
  }
  const taken = runs.take({
    permit: () => undefined,
    stored: () => undefined,
    bytes: stream(),
    form: "lines",
    run: null,
    signal: NEVER,
  });
  await begun.promise;
  for (let turn = 0; turn < 1_000; turn++) await new Promise(setImmediate);
  // 4 MB each, and no more of them than 10 MB.
  expect(read).toBeLessThan(10);
  stored.reject(new Error("The disk is full"));
  await expect(taken).rejects.toThrow("The disk is full");
});
