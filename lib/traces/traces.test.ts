import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as breath } from "node:timers/promises";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SpanStore } from "../../db/repositories.ts";
import { openStorage } from "../../db/sqlite/open.ts";
import type { Storage } from "../../db/storage.ts";
import type { Span } from "../intake/otlp/span.ts";
import { jsonRequest, logsRequest } from "../intake/otlp/testing/request.ts";
import { asked, responded, span, spanId, text } from "../intake/otlp/testing/spans.ts";
import type { Json, JsonObject } from "../session/json/json.ts";
import { emptySession, fold } from "../session/reducer/reducer.ts";
import { statusOf } from "../session/summary/summary.ts";
import { toView } from "../session/view.ts";
import { receiveOtlp } from "./receive.ts";
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
    receive: ({ signal, bytes }) => receiveOtlp({ signal, encoding: "json", value: JSON.parse(String(bytes)) }),
    mapping: createTraceMapping(),
    spans,
    scores: storage.scores,
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

async function pass(ms: number): Promise<void> {
  for (const end = now + ms; now < end; ) {
    now += 500;
    for (const timer of [...timers].filter(({ at }) => at <= now)) if (timers.delete(timer)) timer.act();
    // What a timer begins is written before the next one.
    await storage.spans.waiting();
    await breath();
  }
}

/** Lets time pass until nothing waits. */
async function settled(): Promise<void> {
  while (traces.waiting.count() > 0 || (await storage.spans.waiting()).length > 0) await pass(500);
}

const send = (spans: readonly Span[]) =>
  traces.take({ signal: "traces", encoding: "json", bytes: Buffer.from(JSON.stringify(jsonRequest(spans))) });

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

test("E15: spans of a trace that was imported from another server's export are known here", async () => {
  await send(turn(0));
  await settled();
  const list = () => storage.events.list("talk", { after: 0, limit: 1_000 });
  const events = await list();

  await traces.stop();
  await storage.close();
  folder = mkdtempSync(join(tmpdir(), "obelus-traces-"));
  storage = await openStorage({ dataDir: folder, durability: "normal", onCommit: () => undefined, logger });
  traces = open(storage.spans);
  await storage.log.importConversations(
    (async function* () {
      yield { conversation_id: "talk", events };
    })(),
    new AbortController().signal,
  );
  await send([...turn(0), ...turn(1)]);
  await settled();
  const after = await list();
  expect(after.slice(0, events.length).map(({ id }) => id)).toEqual(events.map(({ id }) => id));
  expect(new Set(after.slice(events.length).map(({ run_id }) => run_id))).toEqual(new Set([`otlp:${traceId(1)}`]));
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

/** A run of an agent whose own span comes at its end: it uses a tool every ten seconds for two minutes. */
function longRun(n: number): { root: Span; calls: Span[] } {
  const more = { trace_id: traceId(n) };
  const talk = { "gen_ai.conversation.id": `talk-${n}` };
  const agent = { ...talk, "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "helper" };
  const calls = Array.from({ length: 12 }, (_, k) =>
    span(
      ...([`look-${k}`, "agent", [k * 10_000, k * 10_000 + 5], "execute_tool look"] as const),
      {
        ...{ ...talk, "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look" },
        "gen_ai.tool.call.id": `call-${k}`,
      },
      more,
    ),
  );
  return { root: span("agent", null, [0, 120_000], "invoke_agent helper", agent, more), calls };
}

async function statusNow(n: number) {
  const events = await storage.events.list(`talk-${n}`, { after: 0, limit: 1_000 });
  return events.length === 0 ? null : statusOf(fold(emptySession(`talk-${n}`), events).summary);
}

test("E15: while spans of a run keep coming its conversation is running, until its own span has come", async () => {
  const { root, calls } = longRun(0);
  const seen: unknown[] = [];
  for (const call of calls) {
    await send([call]);
    await pass(9_000);
    seen.push(await statusNow(0));
  }
  expect(new Set(seen)).toEqual(new Set([null, "running"]));
  expect(seen.at(-1)).toBe("running");
  await send([root]);
  await settled();
  expect(await statusNow(0)).toBe("idle");
  expect(await toldOf(0)).toMatchObject({ runs: [["finished", 1]], warnings: [] });
  expect((await toldOf(0)).calls).toHaveLength(12);
});

test("E15: a run whose own span never comes ends when no more of it comes, also after a restart", async () => {
  const { calls } = longRun(0);
  for (const call of calls.slice(0, 8)) {
    await send([call]);
    await pass(9_000);
  }
  expect(await statusNow(0)).toBe("running");
  await traces.stop();
  timers.clear();
  traces = open(storage.spans);
  await traces.start();
  await settled();
  expect(await statusNow(0)).toBe("idle");
  expect((await toldOf(0)).calls).toHaveLength(8);
  expect((await toldOf(0)).runs).toEqual([["finished", 1]]);
});

/** A trace of OpenTelemetry's instrumentation of OpenAI: what was said is in logs. Two requests with a call between them. */
function loggedTrace(n: number) {
  const more = { trace_id: traceId(n), scope: { name: "opentelemetry.instrumentation.openai_v2", version: "2" } };
  const chat = {
    ...{ "gen_ai.operation.name": "chat", "gen_ai.system": "openai", "gen_ai.request.model": "m" },
    ...{ "gen_ai.conversation.id": `talk-${n}`, "gen_ai.usage.input_tokens": 5, "gen_ai.usage.output_tokens": 2 },
  };
  const root = span("root", null, [0, 60], "ask", { "gen_ai.conversation.id": `talk-${n}` }, more);
  const first = span("ask-1", "root", [1, 20], "chat m", chat, more);
  const second = span("ask-2", "root", [30, 50], "chat m", chat, more);
  const call = { id: "call-1", type: "function", function: { name: "look", arguments: '{"at":"sky"}' } };
  const history: { name: string; body: Json }[] = [
    { name: "gen_ai.system.message", body: { content: "Be brief." } },
    { name: "gen_ai.user.message", body: { content: "question" } },
    { name: "gen_ai.assistant.message", body: { tool_calls: [call] } },
    { name: "gen_ai.tool.message", body: { id: "call-1", content: '{"seen":true}' } },
  ];
  const asks = {
    name: "gen_ai.choice",
    body: { index: 0, finish_reason: "tool_calls", message: { tool_calls: [call] } },
  };
  const says = { name: "gen_ai.choice", body: { index: 0, finish_reason: "stop", message: { content: "answer" } } };
  const at = (of: Span, events: typeof history) =>
    events.map((event, index) => logsRequest(of, { ...event, time: of.start + BigInt(index) }));
  return {
    spans: [root, first, second].map((each) => ({ signal: "traces", request: jsonRequest([each]) }) as const),
    logs: [...at(first, [...history.slice(0, 2), asks]), ...at(second, [...history, says])].map(
      (request) => ({ signal: "logs", request }) as const,
    ),
  };
}

type Part = { signal: "traces" | "logs"; request: JsonObject };

async function sendParts(parts: readonly Part[]): Promise<void> {
  for (const { signal, request } of parts)
    await traces.take({ signal, encoding: "json", bytes: Buffer.from(JSON.stringify(request)) });
}

test("E15: spans and the logs with their messages, in any order and repeated, are the same session", async () => {
  const whole = loggedTrace(0);
  await sendParts([...whole.spans, ...whole.logs]);
  await settled();
  const expected = await toldOf(0);
  expect(expected).toMatchObject({
    ...{ messages: ["question", "answer"], runs: [["finished", 2]], calls: [["call-1", "succeeded"]], warnings: [] },
  });
  const parts = [...whole.spans, ...whole.logs].map((_, index) => index);
  const isSpan = (index: number) => index < whole.spans.length;
  let n = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(parts, { minLength: parts.length }),
      fc.array(fc.constantFrom(...parts), { maxLength: 6 }),
      fc.constantFrom("together", "spans first", "logs first"),
      async (order, again, way) => {
        n += 1;
        const { spans, logs } = loggedTrace(n);
        const send = (indexes: readonly number[]) =>
          sendParts(indexes.flatMap((index) => [...spans, ...logs][index] ?? []));
        const isFirst = (index: number) => way === "together" || isSpan(index) === (way === "spans first");
        await send(order.filter(isFirst));
        // Longer than a trace waits that is whole, and shorter than one that is not.
        await pass(way === "together" ? 0 : 8_000);
        await send(order.filter((index) => !isFirst(index)));
        await send(again);
        await settled();
        await send(again);
        await settled();
        expect(await toldOf(n)).toEqual(expected);
      },
    ),
    { numRuns: 60 },
  );
  expect(traces.unread().logs).toEqual({ unread: [], dropped: 0 });
});

test("E15: logs whose spans never come are dropped after a minute, and counted; other logs are not stored", async () => {
  const { logs } = loggedTrace(0);
  const other = logsRequest(
    { trace_id: traceId(0), span_id: spanId("x") },
    { name: "http.access", time: 1n, body: "GET /" },
  );
  await sendParts([...logs, { signal: "logs", request: other }]);
  expect(await storage.spans.waiting()).toHaveLength(2);
  await pass(90_000);
  expect(await storage.spans.waiting()).toEqual([]);
  expect(traces.unread().logs).toEqual({
    unread: [{ scope: "instrumentation", name: "http.access", count: 1 }],
    dropped: logs.length,
  });
});

test("E15: a restart between logs and spans loses none of them", async () => {
  const { spans, logs } = loggedTrace(0);
  await sendParts(logs);
  await traces.stop();
  traces = open(storage.spans);
  await traces.start();
  await sendParts(spans);
  await settled();
  expect(await toldOf(0)).toMatchObject({ messages: ["question", "answer"], calls: [["call-1", "succeeded"]] });
});

test("E15: a request that is answered before its agent's spans come is in its conversation, and no health check is", async () => {
  const request = span("root", null, [0, 5], "POST /ask", { "http.request.method": "POST" }, { trace_id: traceId(0) });
  await send([request, { ...request, trace_id: traceId(1), name: "GET /healthz" }]);
  await settled();
  expect((await storage.conversations.list({ limit: 10 })).items).toEqual([]);
  expect(traces.unread().dropped_traces.count).toBe(2);

  const [agent, ...inner] = threeRequests(0);
  await send([{ ...agent, parent_span_id: request.span_id } as Span, ...inner]);
  await settled();
  const events = await storage.events.list("talk-0", { after: 0, limit: 100 });
  expect(events.map(({ payload }) => JSON.stringify(payload)).join()).toContain("POST /ask");
  expect(await toldOf(0)).toMatchObject({ messages: ["question", "answer"], runs: [["finished", 3]] });
});

test("E15: what no adapter reads is counted by scope, with a span that has it, and is kept in a conversation", async () => {
  const scope = { name: "crewai.telemetry", version: "1.2" };
  const more = { trace_id: traceId(0), scope };
  await send([
    span("task", "crew", [1, 4], "Task", { "crewai.task.0.description": "Find the order" }, more),
    span(
      "crew",
      null,
      [0, 5],
      "Crew",
      { "crewai.crew.id": "a" },
      { ...more, events: [{ name: "handover", time: 1n, attributes: {} }] },
    ),
  ]);
  await settled();
  expect(traces.unread().scopes).toMatchObject([
    {
      ...{ scope: "crewai.telemetry", version: "1.2", adapters: [], spans: 2, unread: 2 },
      attributes: expect.arrayContaining([
        { name: "crewai.task.N.description", count: 1 },
        { name: "crewai.crew.id", count: 1 },
        { name: "event handover", count: 1 },
      ]),
      example: { conversation_id: traceId(0), name: "Crew" },
    },
  ]);
  const events = await storage.events.list(traceId(0), { after: 0, limit: 100 });
  expect(events.map(({ type }) => type)).toEqual(["conversation.created", "log", "log"]);
});
