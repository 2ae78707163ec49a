import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as breath } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SpanStore } from "../../db/repositories.ts";
import { openStorage } from "../../db/sqlite/open.ts";
import type { Storage } from "../../db/storage.ts";
import type { Span } from "../intake/otlp/span.ts";
import { jsonRequest } from "../intake/otlp/testing/request.ts";
import { asked, responded, span, spanId, text } from "../intake/otlp/testing/spans.ts";
import { emptySession, fold } from "../session/reducer/reducer.ts";
import { toView } from "../session/view.ts";
import { receiveSpans } from "./receive.ts";
import { createTraceMapping } from "./trace-mapping.ts";
import { createTraces, type Traces } from "./traces.ts";

let folder = "";
let storage: Storage;
let traces: Traces;
let now = 0;
const timers = new Set<{ at: number; act: () => void }>();

const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "obelus-traces-"));
  storage = await openStorage({ dataDir: folder, durability: "normal", onCommit: () => undefined, logger });
  now = 0;
  timers.clear();
  traces = open(storage.spans);
});

function open(spans: SpanStore): Traces {
  return createTraces({
    receive: ({ bytes }) => receiveSpans({ encoding: "json", value: JSON.parse(String(bytes)) }),
    mapping: createTraceMapping(),
    spans,
    conversations: storage.conversations,
    clock: {
      now: () => now,
      later(ms, act) {
        const timer = { at: now + ms, act };
        timers.add(timer);
        return () => timers.delete(timer);
      },
    },
    settle: 10_000,
    logger,
    stopping: new AbortController().signal,
  });
}

afterEach(async () => {
  await traces.stop();
  await storage.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Lets time pass until nothing waits. */
async function settled(): Promise<void> {
  while (traces.waiting.count() > 0 || (await storage.spans.waiting()).length > 0) {
    now += 500;
    for (const timer of [...timers].filter(({ at }) => at <= now)) if (timers.delete(timer)) timer.act();
    await breath();
  }
}

const send = (spans: readonly Span[]) =>
  traces.take({ encoding: "json", bytes: Buffer.from(JSON.stringify(jsonRequest(spans))) });

const traceId = (n: number) => String(n).padStart(32, "a");

/** A turn of a conversation: what was said before is given to the model again, a tool is used, and an answer is given. */
function turn(n: number): Span[] {
  const history = Array.from({ length: n }, (_, before) => [
    text("user", `question ${before}`),
    text("assistant", `answer ${before}`),
  ]).flat();
  const input = [...history, text("user", `question ${n}`)];
  const at = n * 100;
  const more = { trace_id: traceId(n) };
  const chat = { "gen_ai.operation.name": "chat", "gen_ai.request.model": "m" };
  const call = { id: `call-${n}`, name: "look", arguments: { n } };
  return [
    span(
      ...(["agent", null, [at, at + 50], "invoke_agent helper"] as const),
      { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "helper", "gen_ai.conversation.id": "talk" },
      more,
    ),
    span(
      ...(["ask", "agent", [at + 1, at + 10], "chat"] as const),
      { ...chat, "gen_ai.input.messages": input, "gen_ai.output.messages": [asked(call)] },
      more,
    ),
    span(
      ...(["look", "agent", [at + 11, at + 20], "execute_tool look"] as const),
      { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look", "gen_ai.tool.call.id": call.id },
      more,
    ),
    span(
      ...(["say", "agent", [at + 21, at + 40], "chat"] as const),
      {
        ...chat,
        "gen_ai.input.messages": [...input, asked(call), responded(call.id, { n })],
        "gen_ai.output.messages": [text("assistant", `answer ${n}`)],
      },
      more,
    ),
  ];
}

test.each([2, 50])(
  "E15: %i turns of a conversation that ripen together are told one after the other, each message once",
  async (count) => {
    const turns = Array.from({ length: count }, (_, n) => turn(n));
    await send(turns.toReversed().flat());
    await settled();

    const events = await storage.events.list("talk", { after: 0, limit: 10_000 });
    const messages = events.flatMap(({ type, payload }) => (type === "message.created" ? [payload] : []));
    expect(messages).toMatchObject(
      Array.from({ length: count }, (_, n) => [
        { role: "user", content: `question ${n}` },
        { role: "assistant", content: `answer ${n}` },
      ]).flat(),
    );
    const runs = events.flatMap(({ run_id }) => run_id ?? []).filter((id, at, all) => id !== all[at - 1]);
    expect(runs).toEqual(turns.map((_, n) => `otlp:${traceId(n)}`));
    const times = events.map(({ occurred_at }) => occurred_at);
    expect(times).toEqual(times.toSorted());
  },
);

test("E15: an agent that was told before its own parent came stays a run of its own, and the parent is another", async () => {
  const [agent, ...inner] = turn(0);
  if (!agent) throw new Error("The turn has four spans");
  const late = span("boss", null, [0, 200], "invoke_agent boss", {
    ...{ "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "boss", "gen_ai.conversation.id": "talk" },
  });
  await send([{ ...agent, parent_span_id: spanId("boss") }, ...inner]);
  await settled();
  await send([{ ...late, trace_id: traceId(0) }]);
  await settled();

  const events = await storage.events.list("talk", { after: 0, limit: 1_000 });
  const runs = events.filter(({ type }) => type === "run.started" || type === "run.finished");
  expect(runs.map(({ type, run_id, parent_run_id, agent_id }) => [type, run_id, parent_run_id, agent_id])).toEqual([
    ["run.started", `otlp:${traceId(0)}`, null, "helper"],
    ["run.finished", `otlp:${traceId(0)}`, null, "helper"],
    ["run.started", `otlp:${traceId(0)}:${spanId("boss")}`, null, "boss"],
    ["run.finished", `otlp:${traceId(0)}:${spanId("boss")}`, null, "boss"],
  ]);
  expect(events.filter(({ type }) => type === "message.created")).toHaveLength(2);
});

test("E15: a trace that is larger than what is read at a time is told in parts, each span once", async () => {
  await traces.stop();
  traces = open({
    ...storage.spans,
    news: (id, payloadsOf, most) => storage.spans.news(id, payloadsOf, { ...most, spans: 100 }),
  });
  const spans = Array.from({ length: 250 }, (_, n) =>
    span(`s${n}`, n === 0 ? null : "s0", n === 0 ? [0, 251] : [n, n + 1], "step", { "gen_ai.conversation.id": "talk" }),
  );
  await send(spans.toReversed());
  await settled();
  const events = await storage.events.list("talk", { after: 0, limit: 1_000 });
  expect(
    events
      .map(({ id }) => id)
      .filter((id) => id.endsWith(":log"))
      .toSorted(),
  ).toEqual(spans.map(({ span_id }) => `otlp:${spans[0]?.trace_id}:${span_id}:log`).toSorted());
});

/** A turn in a conversation of its own, in which a model is asked three times and uses two tools. `end`: of the agent's span, ms. */
function threeRequests(n: number, end = 60): Span[] {
  const more = { trace_id: traceId(n) };
  const talk = { "gen_ai.conversation.id": `talk-${n}` };
  const calls = [1, 2].map((k) => ({ id: `call-${k}`, name: "look", arguments: { k } }));
  const result = { "gen_ai.tool.call.result": { seen: true } };
  const history = [
    text("user", "question"),
    ...calls.flatMap((call) => [asked(call), responded(call.id, { seen: true })]),
  ];
  const answer = text("assistant", "answer");
  const chat = (k: number) =>
    span(
      ...([`ask-${k}`, "agent", [20 * k + 1, 20 * k + 10], "chat"] as const),
      {
        ...{ ...talk, "gen_ai.operation.name": "chat", "gen_ai.request.model": "m" },
        "gen_ai.input.messages": history.slice(0, 2 * k + 1),
        "gen_ai.output.messages": [history[2 * k + 1] ?? answer],
      },
      more,
    );
  const tool = (k: number) =>
    span(
      ...([`look-${k}`, "agent", [20 * k - 9, 20 * k], "execute_tool look"] as const),
      {
        ...{ "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look", "gen_ai.tool.call.id": `call-${k}` },
        ...result,
      },
      more,
    );
  const agent = {
    ...{ ...talk, "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "helper" },
    ...{ "gen_ai.input.messages": history.slice(0, 1), "gen_ai.output.messages": [answer] },
  };
  const whole = span("agent", null, [0, end], "invoke_agent helper", agent, more);
  return [whole, chat(0), tool(1), chat(1), tool(2), chat(2)];
}

async function toldOf(n: number) {
  const events = await storage.events.list(`talk-${n}`, { after: 0, limit: 1_000 });
  const { messages, runs, calls, warnings } = toView(fold(emptySession(`talk-${n}`), events), events.length);
  return {
    types: events.map(({ type }) => type),
    messages: messages.map(({ content }) => content),
    runs: runs.map(({ status, iteration }) => [status, iteration]),
    calls: calls.map(({ id, status }) => [id, status]).toSorted(),
    warnings,
  };
}

/** Each way to divide the six spans of a trace among two requests, by the trace's number. */
const SPLITS = Array.from({ length: 62 }, (_, n) => n + 1);
const firstOf = (n: number) => threeRequests(n).filter((_, index) => n & (1 << index));
const restOf = (n: number) => threeRequests(n).filter((_, index) => !(n & (1 << index)));

test("E15: however a trace is divided among requests, and whichever comes first, it is the same session", async () => {
  await send(threeRequests(0));
  await send(SPLITS.flatMap(firstOf));
  await send(SPLITS.flatMap(restOf));
  await settled();
  const whole = await toldOf(0);
  expect(whole).toMatchObject({ messages: ["question", "answer"], runs: [["finished", 3]], warnings: [] });
  for (const n of SPLITS) expect(await toldOf(n)).toEqual(whole);
});

test("E15: whatever comes after a trace was told, its run has asked its models as often, and made each call once", async () => {
  const splits = SPLITS.filter((n) => n & 1);
  await send(splits.flatMap(firstOf));
  await settled();
  await send(splits.flatMap(restOf));
  await settled();
  for (const n of splits)
    expect(await toldOf(n)).toMatchObject({
      ...{ messages: ["question", "answer"], runs: [["finished", 3]], warnings: [] },
      calls: [
        ["call-1", "succeeded"],
        ["call-2", "succeeded"],
      ],
    });
});

test("E15: a model that is asked after its agent's end, as clocks that differ have it, is one of its iterations", async () => {
  await send(threeRequests(0, 35));
  await settled();
  expect(await toldOf(0)).toMatchObject({ messages: ["question", "answer"], runs: [["finished", 3]] });
});
