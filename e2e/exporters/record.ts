import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { parseArgs, promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { snippetsOf } from "../../components/connect/snippets.ts";
import { decodeJsonOf, type Signal, SPANS } from "../../lib/intake/otlp/protocol/decode.ts";
import { LOGS } from "../../lib/intake/otlp/protocol/decode-logs.ts";
import { decodeProtobufOf } from "../../lib/intake/otlp/protocol/decode-protobuf.ts";
import { jsonRequest, logsRequest } from "../../lib/intake/otlp/testing/request.ts";
import type { JsonObject } from "../../lib/session/json/json.ts";
import { startOneCallModel } from "./one-call-model.ts";
import { RECORDED_FROM, type RecordedProgram, recordedFile } from "./recorded-programs.ts";

// Runs a program of the Connect page as it is shown there, with packages from npm, and records what it sends for the tests:
//   node e2e/exporters/record.ts otel-mastra
// Tests do not install these packages: they read the records.
const run = promisify(execFile);
const { positionals } = parseArgs({ allowPositionals: true });
for (const id of positionals) await record(id);

async function record(id: string): Promise<void> {
  const collector = await collect();
  const model = await startOneCallModel();
  const folder = await mkdtemp(join(tmpdir(), "obelus-record-"));
  try {
    const { code } = snippetsOf("otel", { origin: RECORDED_FROM, keyed: false }).find((one) => one.id === id) ?? {};
    const packages = code && /^\/\/ npm install (.+)$/m.exec(code)?.[1];
    if (!packages) throw new Error(`No program ${id} names its packages`);
    await writeFile(join(folder, "package.json"), '{"private": true, "type": "module"}');
    await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...packages.split(" ")], {
      cwd: folder,
    });
    await writeFile(join(folder, "program.ts"), code.replaceAll(RECORDED_FROM, collector.url));
    const env = {
      ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf" },
      ...{ OTEL_LOGS_EXPORTER: "otlp", OTEL_METRICS_EXPORTER: "none", OTEL_NODE_RESOURCE_DETECTORS: "none" },
      ...{ OTEL_SERVICE_NAME: "my-agent", OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${model.url}/v1` },
      ...{ GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: model.url, LANGFUSE_PUBLIC_KEY: "none" },
      ...{ LANGFUSE_SECRET_KEY: "none", LANGSMITH_TRACING: "true", LANGSMITH_TRACING_MODE: "otel" },
      ...{ LANGSMITH_API_KEY: "none", MASTRA_TELEMETRY_DISABLED: "1", TRACELOOP_TELEMETRY: "false" },
    };
    await run(process.execPath, ["program.ts"], { cwd: folder, env: { ...process.env, ...env }, timeout: 120_000 });
    const lines = [
      JSON.stringify({ code } satisfies RecordedProgram),
      ...collector.requests.map((one) => JSON.stringify(one)),
    ];
    await writeFile(recordedFile(id), `${lines.join("\n")}\n`);
    const { dependencies } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    console.info(id, collector.requests.length, "spans and logs", dependencies);
  } finally {
    model.close();
    collector.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Takes spans and logs, each as a request of its own, without what they say of this machine. */
async function collect() {
  const requests: JsonObject[] = [];
  const server = createServer(async (request, response) => {
    const sent = await buffer(request);
    const bytes = request.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent;
    const type = request.headers["content-type"] ?? "";
    const read = async <T>(signal: Signal<T>) =>
      (type.includes("json")
        ? await decodeJsonOf(signal, JSON.parse(String(bytes)))
        : await decodeProtobufOf(signal, bytes)
      ).items;
    if (request.url === "/v1/traces") for (const span of await read(SPANS)) requests.push(jsonRequest([spanOf(span)]));
    if (request.url === "/v1/logs")
      for (const { span, event } of await read(LOGS))
        if (span) requests.push(logsRequest(span, { name: event.name, time: event.time, body: event.attributes }));
    response.writeHead(200, { "content-type": type }).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The collector listens on no port");
  return {
    requests,
    url: `http://127.0.0.1:${address.port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function spanOf(span: Parameters<typeof jsonRequest>[0][number]) {
  const isOfMachine = ([name]: [string, unknown]) => /^(?:host|process|os)\./u.test(name);
  return { ...span, resource: Object.fromEntries(Object.entries(span.resource).filter((one) => !isOfMachine(one))) };
}
