import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { Span } from "../../../lib/intake/otlp/span.ts";
import { jsonRequest, logsRequest, protobufLogs } from "../../../lib/intake/otlp/testing/request.ts";
import { span } from "../../../lib/intake/otlp/testing/spans.ts";
import { readEvents } from "../setup/event-source.ts";
import { withServer } from "../setup/server.ts";

const server = withServer({ OBELUS_OTLP_SETTLE_SECONDS: "2" });

const JSON_TYPE = { "content-type": "application/json" };
const PROTOBUF = { "content-type": "application/x-protobuf" };

/** A request to a model whose words are in logs, as OpenTelemetry's own OpenAI instrumentation sends them. */
function chat(n: number): Span {
  const attributes = {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "m",
    "gen_ai.conversation.id": `logs-${n}`,
  };
  return span("chat", null, [0, 10], "chat m", attributes, { trace_id: `abd${String(n).padStart(29, "0")}` });
}

const logsOf = (of: Span) =>
  logsRequest(
    of,
    { name: "gen_ai.user.message", time: of.start + 1n, body: { content: "Which way to Oslo?" } },
    {
      name: "gen_ai.choice",
      time: of.start + 2n,
      body: { index: 0, finish_reason: "stop", message: { role: "assistant", content: "Take the 9:40." } },
    },
  );

async function send(path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) {
  const response = await fetch(server.url + path, { method: "POST", headers, body });
  return { status: response.status, text: await response.text() };
}

const sendSpan = (sent: Span) => send("/v1/traces", JSON.stringify(jsonRequest([sent])), JSON_TYPE);

/** The messages of a conversation once its run has ended. */
async function messagesAfter(n: number, sending: () => Promise<void>) {
  const { body } = await server.post("/api/events", { conversation_id: "places", type: "log" });
  const stream = await readEvents(server.url, `/api/stream?after=${body.events[0].position}`);
  try {
    await sending();
    await stream.find(({ type, data }) => type === "run.finished" && data.conversation_id === `logs-${n}`);
  } finally {
    stream.close();
  }
  const view = await server.get(`/api/conversations/logs-${n}/view`);
  return view.body.messages.map(({ role, content }: { role: string; content: string }) => [role, content]);
}

const SAID = [
  ["user", "Which way to Oslo?"],
  ["assistant", "Take the 9:40."],
];

test.each<[string, number, (logs: ReturnType<typeof logsOf>) => Promise<[string | Uint8Array<ArrayBuffer>, object]>]>([
  ["JSON", 1, async (logs) => [JSON.stringify(logs), JSON_TYPE]],
  ["protobuf", 2, async (logs) => [await protobufLogs(logs), PROTOBUF]],
  [
    "protobuf in gzip",
    3,
    async (logs) => [new Uint8Array(gzipSync(await protobufLogs(logs))), { ...PROTOBUF, "content-encoding": "gzip" }],
  ],
])("E15: words that come as logs in %s belong to their span, before or after it", async (_, n, encode) => {
  const [body, headers] = await encode(logsOf(chat(n)));
  const said = await messagesAfter(n, async () => {
    const first = () => send("/v1/logs", body, { ...headers });
    const second = () => sendSpan(chat(n));
    for (const one of n % 2 === 0 ? [first, second] : [second, first]) expect((await one()).status).toBe(200);
  });
  expect(said).toEqual(SAID);
});

test("E15: metrics are accepted and stored nowhere; what is no request is refused", async () => {
  expect(await send("/v1/metrics", JSON.stringify({ resourceMetrics: [] }), JSON_TYPE)).toEqual({
    status: 200,
    text: "{}",
  });
  expect((await send("/v1/logs", "{", JSON_TYPE)).status).toBe(400);
  expect((await send("/v1/logs", "x", { "content-type": "text/plain" })).status).toBe(415);
  expect((await send("/v1/logs", new Uint8Array([255, 255, 255]), PROTOBUF)).status).toBe(400);
});
