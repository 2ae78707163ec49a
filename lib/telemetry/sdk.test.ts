import { once } from "node:events";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { afterEach, expect, test, vi } from "vitest";
import { decodeProtobuf } from "../intake/otlp/protocol/decode-protobuf.ts";
import type { Span } from "../intake/otlp/span.ts";
import { createEgressPolicy } from "../outgoing/egress.ts";
import type { PlannedSpan } from "./planned-span.ts";
import { createCollector } from "./sdk.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A fake OpenTelemetry collector with a status, and what it received. */
async function collectorOf(status: number) {
  const requests: Span[][] = [];
  const server = createServer(async (request, response) => {
    requests.push((await decodeProtobuf(await buffer(request))).spans);
    response.writeHead(status).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", `http://127.0.0.1:${port}`);
  // Permanent failures are not retried.
  if (status === 503) vi.stubEnv("OTEL_EXPORTER_OTLP_TIMEOUT", "300");
  return {
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const START = Date.parse("2026-01-01T00:00:00.123Z");

function planned(key: string, parent: string | null, more: Partial<PlannedSpan> = {}): PlannedSpan {
  const times = { start: START, end: START + 5 };
  return {
    key,
    parent,
    name: key,
    kind: "internal",
    ...times,
    attributes: { "gen_ai.tool.name": key },
    error: null,
    ...more,
  };
}

const turn = (runId: string) => ({
  runId,
  spans: [
    planned("root", null),
    planned("child", "root", { kind: "client", error: "no line" }),
    planned("grandchild", "child", { attributes: { "gen_ai.response.finish_reasons": ["stop"] } }),
  ],
});

test("a turn is one trace with its times, parents and attributes, with deterministic ids", async () => {
  await using collector = await collectorOf(200);
  for (let time = 0; time < 2; time++) {
    const { send, shutdown } = createCollector(createEgressPolicy([])({ hosts: ["127.0.0.1"] }).kept);
    expect(await send([turn("a"), turn("b")])).toEqual({ kind: "sent" });
    await shutdown();
  }
  const [first = [], again] = collector.requests;
  expect(again).toEqual(first);
  expect(new Set(first.map(({ trace_id }) => trace_id)).size).toBe(2);
  const [root, child, grandchild] = first;
  expect([root?.parent_span_id, child?.parent_span_id, grandchild?.parent_span_id]).toEqual([
    null,
    root?.span_id,
    child?.span_id,
  ]);
  expect(root).toMatchObject({
    name: "root",
    start: BigInt(START) * 1_000_000n,
    end: BigInt(START + 5) * 1_000_000n,
    attributes: { "gen_ai.tool.name": "root" },
    resource: { "service.name": "obelus" },
    status: { code: "unset" },
  });
  expect(child?.status).toEqual({ code: "error", message: "no line" });
  expect(grandchild?.attributes).toEqual({ "gen_ai.response.finish_reasons": ["stop"] });
});

test("a large turn is sent in several requests, as one trace", async () => {
  await using collector = await collectorOf(200);
  const { send, shutdown } = createCollector(createEgressPolicy([])({ hosts: ["127.0.0.1"] }).kept);
  const calls = Array.from({ length: 1_100 }, (_, n) => planned(`call ${n}`, "root"));
  const long = { attributes: { "gen_ai.tool.call.result": "x".repeat(900_000) } };
  const large = [...["1", "2", "3"].map((n) => planned(n, "root", long)), planned("last", "root")];
  expect(await send([{ runId: "a", spans: [planned("root", null), ...calls, ...large] }])).toEqual({ kind: "sent" });
  await shutdown();
  expect(collector.requests.map(({ length }) => length)).toEqual([500, 500, 104, 1]);
  const spans = collector.requests.flat();
  expect(new Set(spans.map(({ trace_id }) => trace_id)).size).toBe(1);
  expect(new Set(spans.slice(1).map(({ parent_span_id }) => parent_span_id))).toEqual(new Set([spans[0]?.span_id]));
});

test.each([
  [400, "refused"],
  [413, "refused"],
  [401, "unreachable"],
  [503, "unreachable"],
])("a collector that answers %i has it %s", async (status, kind) => {
  await using _ = await collectorOf(status);
  const { send, shutdown } = createCollector(createEgressPolicy([])({ hosts: ["127.0.0.1"] }).kept);
  expect(await send([turn("a")])).toMatchObject({ kind });
  await shutdown();
});

test("a collector that is down is unreachable", async () => {
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1");
  vi.stubEnv("OTEL_EXPORTER_OTLP_TIMEOUT", "300");
  const { send, shutdown } = createCollector(createEgressPolicy([])({ hosts: ["127.0.0.1"] }).kept);
  expect(await send([turn("a")])).toMatchObject({ kind: "unreachable" });
  await shutdown();
});

test("an endless response of a collector is cut off", async () => {
  const { promise: cut, resolve } = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    request.resume();
    const write = () => {
      while (!response.destroyed && response.write("x".repeat(100_000)));
    };
    response.on("drain", write).on("close", resolve);
    write();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", `http://127.0.0.1:${port}`);
  const { send, shutdown } = createCollector(createEgressPolicy([])({ hosts: ["127.0.0.1"] }).kept);
  expect(await send([turn("a")])).toMatchObject({ kind: "unreachable" });
  await cut;
  await shutdown();
  server.close();
});
