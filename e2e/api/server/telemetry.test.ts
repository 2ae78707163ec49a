import { readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { decodeProtobuf } from "../../../lib/intake/otlp/protocol/decode-protobuf.ts";
import type { Span } from "../../../lib/intake/otlp/span.ts";
import { startServerProcess } from "../../../scripts/server-process.ts";
import { readEvents } from "../setup/event-source.ts";
import { temporaryDirectory } from "../setup/server.ts";
import { createWaiting } from "../setup/waiting.ts";

const ended: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

/** A local OpenTelemetry collector, and the received spans. */
async function startCollector(port = 0) {
  const spans: Span[] = [];
  const headers: string[] = [];
  const { waitFor, look } = createWaiting();
  const server = createServer(async (request, response) => {
    const bytes = await buffer(request);
    headers.push(`${request.method} ${request.url} ${request.headers["x-team"]}`);
    spans.push(...(await decodeProtobuf(bytes)).spans);
    response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
    look();
  });
  await listen(server, port);
  const { port: taken } = server.address() as AddressInfo;
  return {
    ...{ url: `http://127.0.0.1:${taken}`, port: taken, spans, headers },
    /** Waits for the span of a turn's end, which is sent with all others. */
    turns: (count: number) =>
      waitFor(() => {
        const roots = spans.filter(({ parent_span_id }) => parent_span_id === null);
        return roots.length < count ? undefined : roots;
      }),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
}

/** An Obelus with its own log that can be restarted. */
async function startObelus(env: Record<string, string>) {
  const dataDir = await temporaryDirectory();
  const log = `${dataDir}/server.log`;
  const start = (more: Record<string, string> = {}) =>
    startServerProcess(dataDir, {
      env: { OBELUS_DEMO: "0", OBELUS_PRELOAD_PAGES: "0", OBELUS_LOG_LEVEL: "info", ...env, ...more },
      log,
    });
  let server = await start();
  ended.push(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const post = async (path: string, body: object) => {
    const response = await fetch(server.address + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return response.json();
  };
  return {
    get url() {
      return server.address;
    },
    post,
    async get(path: string) {
      return (await fetch(server.address + path)).json();
    },
    /** Waits until a run has succeeded. */
    async finished(fits: { run_id: string } | { conversation_id: string }): Promise<void> {
      const stream = await readEvents(server.address, "/api/stream?after=0");
      const { type, data } = await stream.find(
        ({ type, data }) =>
          RUN_ENDS.includes(type) && Object.entries(fits).every(([name, value]) => data[name] === value),
      );
      stream.close();
      expect({ type, data }).toMatchObject({ type: "run.finished" });
    },
    async stop(signal?: NodeJS.Signals) {
      await server.stop(signal);
    },
    async startAgain(more?: Record<string, string>) {
      server = await start(more);
    },
    async logged(): Promise<string[]> {
      return (await readFile(log, "utf8")).split("\n").filter((line) => /traces/i.test(line));
    },
  };
}

const TOOLS = [
  { name: "orders.find", schema: { type: "object" } },
  { name: "tell", schema: { type: "object" } },
];

/** A plan whose second call reads the first one's result. */
function plan(order: string) {
  return {
    tools: TOOLS,
    plan: [
      { _tool: "orders.find", _id: "find", id: order, _output: { id: order }, _outputPath: "†state.order" },
      { _tool: "tell", _id: "tell", text: "†state.order.id", _output: "On its way." },
    ],
  };
}

const RUN_ENDS = ["run.finished", "run.failed", "run.cancelled"];

test.each([
  ["no word of it", "false"],
  ["what was said, where that is wanted", "true"],
])("a user's turn is exported as one tree of GenAI spans with the log's times, and %s", async (_, content) => {
  const collector = await startCollector();
  ended.push(collector.close);
  const obelus = await startObelus({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: "x-team=support",
    OTEL_SERVICE_NAME: "studio",
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: content,
  });
  const conversation = "traced";
  await obelus.post("/api/conversations", { id: conversation, agent_id: "admin" });
  const { run_id } = await obelus.post(`/api/conversations/${conversation}/messages`, {
    content: "What are your prices?",
  });
  await obelus.finished({ run_id });
  const [root] = await collector.turns(1);
  expect(collector.headers[0]).toBe("POST /v1/traces support");
  expect(root?.resource).toMatchObject({ "service.name": "studio" });
  expect(root?.name).toMatch(/^invoke_agent /);
  expect(root?.attributes).toMatchObject({
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.conversation.id": conversation,
    "obelus.run.id": run_id,
  });
  const chats = collector.spans.filter(({ name }) => name.startsWith("chat "));
  expect(chats.length).toBeGreaterThan(0);
  const { items } = await obelus.get(`/api/conversations/${conversation}/events?limit=1000`);
  const times = (type: string) =>
    items.flatMap((event: { type: string; occurred_at: string }) =>
      event.type === type ? [Date.parse(event.occurred_at)] : [],
    );
  const millisecond = (time: bigint | undefined) => Number((time ?? 0n) / 1_000_000n);
  expect([root?.start, root?.end].map(millisecond)).toEqual([times("run.started")[0], times("run.finished")[0]]);
  expect(chats.map(({ start }) => millisecond(start))).toEqual(times("model.requested"));
  expect(chats.map(({ end }) => millisecond(end))).toEqual(times("model.responded"));
  for (const { attributes, trace_id, parent_span_id } of chats) {
    expect([trace_id, parent_span_id]).toEqual([root?.trace_id, root?.span_id]);
    expect(attributes).toMatchObject({ "gen_ai.operation.name": "chat" });
    expect(Number(attributes["gen_ai.usage.input_tokens"])).toBeGreaterThan(0);
  }
  expect(JSON.stringify(collector.spans.map(({ attributes }) => attributes)).includes("What are your prices?")).toBe(
    content === "true",
  );
});

test("an unreachable collector blocks no turn, is logged once, and gets all turns later, also after a kill -9", async () => {
  const collector = await startCollector();
  await collector.close();
  const obelus = await startObelus({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_TIMEOUT: "300" });
  const runs: string[] = [];
  for (const order of ["1", "2"]) {
    const { run_id } = await obelus.post("/api/plans/run", plan(order));
    await obelus.finished({ run_id });
    runs.push(run_id);
  }
  await expect.poll(obelus.logged).toHaveLength(1);
  await obelus.stop("SIGKILL");
  const again = await startCollector(collector.port);
  ended.push(again.close);
  // A response after the timeout is ignored, and its spans are sent again.
  const patient = { OTEL_EXPORTER_OTLP_TIMEOUT: "60000" };
  await obelus.startAgain(patient);
  const roots = await again.turns(2);
  expect(roots.map(({ attributes }) => attributes["obelus.run.id"])).toEqual(runs);
  // Exported spans are not sent again.
  await obelus.stop();
  await obelus.startAgain(patient);
  const { run_id } = await obelus.post("/api/plans/run", plan("3"));
  await again.turns(3);
  expect(again.spans.filter(({ parent_span_id }) => parent_span_id === null)).toHaveLength(3);
  expect(again.spans.at(-1)?.trace_id).not.toBe(roots[0]?.trace_id);
  expect(JSON.stringify(again.spans.map(({ attributes }) => attributes))).toContain(run_id);
});

test("turns that end just before the server are exported; external and imported runs never", async () => {
  const collector = await startCollector();
  ended.push(collector.close);
  const obelus = await startObelus({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const foreign = (type: string) => ({ conversation_id: "foreign", run_id: "foreign-run", type, payload: {} });
  await obelus.post("/api/events", [foreign("run.started"), foreign("run.finished")]);
  const { run_id } = await obelus.post("/api/plans/run", plan("1"));
  await obelus.finished({ run_id });
  await obelus.stop();
  expect(collector.spans.map(({ name }) => name)).toEqual([
    "invoke_agent",
    "execute_tool orders.find",
    "execute_tool tell",
  ]);
});

test("E15: traces of one Obelus, sent to another, show the same calls there", async () => {
  const other = await startObelus({ OBELUS_OTLP_SETTLE_SECONDS: "1" });
  const obelus = await startObelus({
    OTEL_EXPORTER_OTLP_ENDPOINT: other.url,
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true",
  });
  const { run_id, conversation_id } = await obelus.post("/api/plans/run", plan("17"));
  await obelus.finished({ run_id });
  await other.finished({ conversation_id });
  const [here, there] = await Promise.all(
    [obelus, other].map(({ get }) => get(`/api/conversations/${conversation_id}/view`)),
  );
  const told = (view: { calls: { id: string; tool: string; status: string; params: unknown; output: unknown }[] }) =>
    view.calls.map(({ id, tool, status, params, output }) => ({ id, tool, status, params, output }));
  expect(told(there)).toEqual(told(here));
  expect(there.state[""]).toEqual({ order: { id: "17" } });
});
