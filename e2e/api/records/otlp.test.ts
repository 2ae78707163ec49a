import { deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { Span } from "../../../lib/intake/otlp/span.ts";
import { jsonRequest, jsonSpan, protobufRequest } from "../../../lib/intake/otlp/testing/request.ts";
import { span, twoToolAgent } from "../../../lib/intake/otlp/testing/spans.ts";
import { readEvents, type StreamedEvent } from "../setup/event-source.ts";
import { withoutTotals, withServer } from "../setup/server.ts";

// A trace without its root is mapped after two seconds, so that tests need not wait for ten.
const server = withServer({ OBELUS_OTLP_SETTLE_SECONDS: "2" });

const PROTOBUF = "application/x-protobuf";

function traceId(n: number): string {
  return `abc${String(n).padStart(29, "0")}`;
}

/** An agent with two tools, in its own trace and conversation. */
function agentIn(n: number, conversation = `trip-${n}`): Span[] {
  return twoToolAgent().map((each) => ({
    ...each,
    trace_id: traceId(n),
    attributes: {
      ...each.attributes,
      ...(each.attributes["gen_ai.conversation.id"] !== undefined && { "gen_ai.conversation.id": conversation }),
    },
  }));
}

async function send(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>, path = "/v1/traces") {
  const response = await fetch(server.url + path, { method: "POST", headers, body });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, type: response.headers.get("content-type"), bytes, text: bytes.toString() };
}

const sendJson = (spans: readonly Span[]) =>
  send(JSON.stringify(jsonRequest(spans)), { "content-type": "application/json" });

/** Follows the log from here on. */
async function following<T>(
  work: (until: (fits: (event: StreamedEvent) => boolean) => Promise<StreamedEvent>) => Promise<T>,
) {
  return followingAfter(await position(), work);
}

/** Follows the log from a position, also across restarts of the server. */
async function followingAfter<T>(
  after: number,
  work: (until: (fits: (event: StreamedEvent) => boolean) => Promise<StreamedEvent>) => Promise<T>,
) {
  const stream = await readEvents(server.url, `/api/stream?after=${after}`);
  try {
    return await work(stream.find);
  } finally {
    stream.close();
  }
}

/** The log's end. */
async function position(): Promise<number> {
  const { body } = await server.post("/api/events", { conversation_id: "places", type: "log" });
  return body.events[0].position;
}

const ended = (n: number) => (event: StreamedEvent) =>
  event.type === "run.finished" && event.data.run_id === `otlp:${traceId(n)}`;

test.each<
  [string, number, string, (spans: Span[]) => Promise<[string | Uint8Array<ArrayBuffer>, Record<string, string>]>]
>([
  [
    "JSON",
    1,
    "/v1/traces",
    async (spans) => [JSON.stringify(jsonRequest(spans)), { "content-type": "application/json" }],
  ],
  ["protobuf", 2, "/v1/traces", async (spans) => [await protobufRequest(spans), { "content-type": PROTOBUF }]],
  [
    ...(["protobuf in gzip", 3, "/api/otlp/v1/traces"] as const),
    async (spans) => [
      new Uint8Array(gzipSync(await protobufRequest(spans))),
      { "content-type": PROTOBUF, "content-encoding": "gzip" },
    ],
  ],
  [
    ...(["JSON in deflate", 4, "/api/otlp/v1/traces"] as const),
    async (spans) => [
      new Uint8Array(deflateSync(JSON.stringify(jsonRequest(spans)))),
      { "content-type": "application/json; charset=utf-8", "content-encoding": "deflate" },
    ],
  ],
])("E15: an agent's spans in %s become its session", async (_, n, path, encode) => {
  const [body, headers] = await encode(agentIn(n));
  await following(async (until) => {
    const answer = await send(body, headers, path);
    expect(answer).toMatchObject({ status: 200, type: headers["content-type"]?.split(";")[0] });
    expect(answer.text).toBe(answer.type === PROTOBUF ? "" : "{}");
    await until(ended(n));
  });

  const { body: conversation } = await server.get(`/api/conversations/trip-${n}`);
  expect(conversation).toMatchObject({ channel: "otlp", agent_id: "Planner", user_id: "alice", status: "idle" });
  const { body: view } = await server.get(`/api/conversations/trip-${n}/view`);
  expect(view.messages.map(({ role, content }: { role: string; content: string }) => [role, content])).toEqual([
    ["user", "How do I get to Oslo?"],
    ["assistant", "Take the 9:40."],
  ]);
  expect(view.runs).toMatchObject([
    { id: `otlp:${traceId(n)}`, status: "finished", agent_id: "Planner", iteration: 2 },
  ]);
  expect(view.calls).toMatchObject([
    {
      id: "c1",
      tool: "weather",
      iteration: 1,
      status: "succeeded",
      params: { city: "Oslo" },
      output: { sky: "clear" },
    },
    { id: "c2", tool: "train", iteration: 1, status: "succeeded", params: { to: "Oslo" }, output: { at: "9:40" } },
  ]);
  expect(view.state).toEqual({ "": { weather: { sky: "clear" } } });
  expect(view.warnings).toEqual([]);
  const tokens = await server.get(`/api/conversations/trip-${n}/tokens`);
  expect(tokens.body).toMatchObject({ input_tokens: 40, output_tokens: 12 });
});

test("E15: a repeated span changes nothing", async () => {
  await following(async (until) => {
    await sendJson(agentIn(10));
    await until(ended(10));
    const read = async () => withoutTotals((await server.get("/api/conversations/trip-10")).body);
    const before = await read();
    // Later spans are mapped later: when they are there, repeated ones would be, too.
    await sendJson([...agentIn(10), ...agentIn(11)]);
    await until(ended(11));
    expect(await read()).toEqual(before);
  });
});

test("E15: a trace without its root is mapped after a while, names what is missing, and continues when it arrives", async () => {
  const [agent, ...inner] = agentIn(12);
  if (!agent) throw new Error("The agent has six spans");
  await following(async (until) => {
    await sendJson(inner);
    const first = await until(ended(12));
    expect(first.data.payload.reason).toContain(agent.span_id);
    await sendJson([agent]);
    await until(
      ({ type, data }) => type === "run.finished" && data.id === `otlp:${traceId(12)}:${agent.span_id}:run.ended`,
    );
  });
  const { body: view } = await server.get(`/api/conversations/${traceId(12)}/view`);
  expect(view.runs).toMatchObject([{ id: `otlp:${traceId(12)}`, status: "finished", agent_id: "Planner" }]);
  expect(view.calls).toHaveLength(2);
  expect(view.warnings).toEqual([]);
});

test("E15: 5,000 spans in batches of 512 over 8 connections, shuffled, are stored, each trace in its order and tree", {
  timeout: 300_000,
}, async () => {
  const traces = Array.from({ length: 10 }, (_, index) => largeTrace(1_000 + index, 500));
  const spans = shuffled(traces.flat());
  expect(spans).toHaveLength(5_000);
  const batches = Array.from({ length: Math.ceil(spans.length / 512) }, (_, n) => spans.slice(n * 512, (n + 1) * 512));
  const waiting = batches.values();
  const sender = async () => {
    for (const batch of waiting) {
      const body = await protobufRequest(batch);
      expect((await send(body, { "content-type": PROTOBUF })).status).toBe(200);
    }
  };
  await following(async (until) => {
    await Promise.all(Array.from({ length: 8 }, sender));
    for (const n of traces.keys()) await until(ended(1_000 + n));
  });
  for (const [index, trace] of traces.entries()) {
    const events = await exported(`large-${1_000 + index}`);
    const parents = new Map(trace.map(({ span_id, parent_span_id }) => [span_id, parent_span_id ?? undefined]));
    const found = new Map(
      events.flatMap(({ payload: { span } }) => (span ? [[span.span_id, span.parent_span_id]] : [])),
    );
    expect(found).toEqual(parents);
    const times = events.map(({ occurred_at }) => occurred_at);
    expect(times).toEqual(times.toSorted());
    const runs = events.filter(({ type }) => type === "run.started");
    expect(runs.map(({ parent_run_id }) => parent_run_id)).toEqual([
      null,
      ...Array(3).fill(`otlp:${traceId(1_000 + index)}`),
    ]);
    expect(events.filter(({ type }) => type === "call.succeeded")).toHaveLength(248);
  }
});

test("E15: spans acknowledged and not mapped before a kill -9 are mapped at the next start", async () => {
  const spans = agentIn(20);
  const before = await position();
  expect((await sendJson(spans.slice(0, 3))).status).toBe(200);
  expect((await sendJson(spans.slice(3))).status).toBe(200);
  await server.restart("SIGKILL");
  await followingAfter(before, (until) => until(ended(20)));
  const { body: view } = await server.get("/api/conversations/trip-20/view");
  expect(view.calls).toHaveLength(2);
  expect(view.warnings).toEqual([]);
});

test("E15: a trace being mapped at a kill -9 is finished at the next start, without duplicates", {
  timeout: 120_000,
}, async () => {
  const spans = largeTrace(21, 5_000);
  const before = await position();
  for (let at = 0; at < spans.length; at += 500) expect((await sendJson(spans.slice(at, at + 500))).status).toBe(200);
  await followingAfter(before, (until) => until(({ data }) => data.conversation_id === "large-21"));
  await server.restart("SIGKILL");
  await followingAfter(before, (until) => until(ended(21)));
  const events = await exported("large-21");
  const told = new Set(events.flatMap(({ payload: { span } }) => (span ? [span.span_id] : [])));
  expect(told.size).toBe(5_000);
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  const times = events.map(({ occurred_at }) => occurred_at);
  expect(times).toEqual(times.toSorted());
});

test("E15: single invalid spans are a partial success, and the others are stored", async () => {
  const bad = { ...jsonSpan(span("bad", null, [0, 1], "bad")), traceId: "0".repeat(32) };
  const long = jsonSpan(span("long", null, [0, 1], "long", { text: "x".repeat(10 * 1024 * 1024) }));
  const good = agentIn(30).map(jsonSpan);
  const request = { resourceSpans: [{ scopeSpans: [{ spans: [bad, ...good, long] }] }] };
  await following(async (until) => {
    const answer = await send(JSON.stringify(request), { "content-type": "application/json" });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual({
      partialSuccess: {
        rejectedSpans: "2",
        errorMessage: expect.stringMatching(/bad.*traceId.*long.*larger than 1 MB/),
      },
    });
    await until(ended(30));
  });
});

test("E15: a span nested 100 levels deep is refused alone, in protobuf and in JSON", async () => {
  let deep: Span["attributes"][string] = "x";
  for (let level = 0; level < 100; level += 1) deep = [deep];
  const spans = [span("deep", null, [0, 1], "deep", { deep })];
  const json = await sendJson(spans);
  expect([json.status, JSON.parse(json.text).partialSuccess.rejectedSpans]).toEqual([200, "1"]);
  const protobuf = await send(await protobufRequest(spans), { "content-type": PROTOBUF });
  expect([protobuf.status, protobuf.text]).toEqual([200, expect.stringContaining("nested deeper than")]);
});

test.each<[string, number, string | Uint8Array<ArrayBuffer>, Record<string, string>, RegExp]>([
  ["malformed protobuf", 400, new Uint8Array([0x0a, 0xff, 0xff, 0x01]), { "content-type": PROTOBUF }, /not a protobuf/],
  ["malformed JSON", 400, '{"resourceSpans": [', { "content-type": "application/json" }, /not valid JSON/],
  ["JSON that is no request", 400, "[]", { "content-type": "application/json" }, /resourceSpans/],
  ["JSON 2,000 levels deep", 400, "[".repeat(2_000), { "content-type": "application/json" }, /deeper than 1000/],
  [
    ...(["half of a surrogate pair", 400, '{"resourceSpans": [{"schemaUrl": "\\ud800"}]}'] as const),
    ...([{ "content-type": "application/json" }, /surrogate/] as const),
  ],
  [
    ...(["gzip that is none", 400, "plain"] as const),
    ...([{ "content-type": PROTOBUF, "content-encoding": "gzip" }, /not valid gzip/] as const),
  ],
  [
    ...(["a zip bomb", 413, new Uint8Array(gzipSync(Buffer.alloc(200 * 1024 * 1024)))] as const),
    ...([{ "content-type": PROTOBUF, "content-encoding": "gzip" }, /larger than 20 MB/] as const),
  ],
  ["a body of 21 MB", 413, new Uint8Array(21 * 1024 * 1024), { "content-type": PROTOBUF }, /larger than 20 MB/],
  ["another type", 415, "x", { "content-type": "text/plain" }, /application\/x-protobuf/],
  [
    ...(["another encoding", 415, "x"] as const),
    ...([{ "content-type": PROTOBUF, "content-encoding": "br" }, /gzip, deflate/] as const),
  ],
])(
  "E15: %s is a google.rpc.Status with a sentence, %i, and nothing is stored",
  async (_, status, body, headers, sentence) => {
    const head = (await server.get("/api/conversations?limit=1")).body;
    const answer = await send(body, headers);
    expect(answer.status).toBe(status);
    if (headers["content-type"] === PROTOBUF) {
      expect(answer.type).toBe(PROTOBUF);
      // Field 2 is the message, after two bytes for the code.
      expect([answer.bytes[0], answer.bytes[2]]).toEqual([0x08, 0x12]);
      expect(answer.text).toMatch(sentence);
    } else {
      expect(JSON.parse(answer.text)).toEqual({ code: 3, message: expect.stringMatching(sentence), details: [] });
    }
    expect((await server.get("/api/conversations?limit=1")).body).toEqual(head);
  },
);

test("E10, E15: another method and another origin are refused as everywhere", async () => {
  expect((await server.get("/v1/traces")).status).toBe(405);
  const foreign = await server.send("POST", "/v1/traces", {}, { origin: "http://evil.example" });
  expect([foreign.status, foreign.body.code]).toEqual([403, "foreign_origin"]);
});

/** An agent with model requests and tools, with three subagents: `size` spans. */
function largeTrace(n: number, size: number): Span[] {
  const spans: Span[] = [];
  const add = (
    id: string,
    parent: string | null,
    times: [number, number],
    name: string,
    attributes: Span["attributes"],
  ) => spans.push(span(id, parent, times, name, attributes, { trace_id: traceId(n) }));
  const agent = { "gen_ai.operation.name": "invoke_agent" };
  add("root", null, [0, size * 10], "invoke_agent root", {
    ...{ ...agent, "gen_ai.agent.name": "root", "gen_ai.conversation.id": `large-${n}` },
  });
  const subs = ["sub0", "sub1", "sub2"];
  for (const [index, id] of subs.entries()) {
    const third = Math.floor(size / 3) * 10;
    add(id, "root", [index * third + 1, (index + 1) * third], `invoke_agent ${id}`, {
      ...agent,
      "gen_ai.agent.name": id,
    });
  }
  for (let at = 0; spans.length < size; at += 1) {
    const parent = subs[at % 3] ?? "root";
    const start = (at + 1) * 20;
    const id = `m${at}`;
    const call = `call-${at}`;
    add(id, parent, [start, start + 5], "chat", {
      ...{ "gen_ai.operation.name": "chat", "gen_ai.request.model": "m" },
      "gen_ai.output.messages": [
        { role: "assistant", parts: [{ type: "tool_call", id: call, name: "look", arguments: { at } }] },
      ],
    });
    if (spans.length < size) {
      add(`t${at}`, parent, [start + 6, start + 9], "execute_tool look", {
        ...{ "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look", "gen_ai.tool.call.id": call },
        ...{ "gen_ai.tool.call.arguments": { at }, "gen_ai.tool.call.result": { found: at } },
      });
    }
  }
  return spans;
}

/** A deterministic shuffle. */
function shuffled<T>(items: readonly T[]): T[] {
  const order = items.map((item, index) => ({ item, rank: Math.imul(index + 1, 2_654_435_761) >>> 0 }));
  return order.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
}

async function exported(conversationId: string) {
  const response = await fetch(`${server.url}/api/conversations/${conversationId}/export`);
  const lines = (await response.text()).trim().split("\n").slice(1);
  return lines.map((line) => JSON.parse(line));
}

test("E15: numbers that JavaScript would change are kept as written", async () => {
  const attributes = `[{"key":"a","value":{"doubleValue":1e400}},{"key":"id","value":{"intValue":9007199254740993}},
    {"key":"gen_ai.operation.name","value":{"stringValue":"execute_tool"}},
    {"key":"gen_ai.tool.name","value":{"stringValue":"pay"}},
    {"key":"gen_ai.tool.call.arguments","value":{"stringValue":"{\\"sum\\":9007199254740993,\\"back\\":-0}"}}]`;
  const span = `{"traceId":"${"7a".repeat(16)}","spanId":"${"7b".repeat(8)}","name":"pay",
    "startTimeUnixNano":1763840000000000001,"endTimeUnixNano":"1763840000000000002","attributes":${attributes}}`;
  const traces = await server.postRaw(
    "/v1/traces",
    `{"resourceSpans":[{"scopeSpans":[{"spans":[${span}]}]}]}`,
    "application/json",
  );
  expect(traces).toMatchObject({ status: 200, body: {} });
  await expect
    .poll(async () => JSON.stringify((await server.get(`/api/conversations/${"7a".repeat(16)}/events?limit=50`)).body))
    .toMatch(/"sum":"9007199254740993","back":"-0"/);
});
