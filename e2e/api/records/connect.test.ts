import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Snippet, type SnippetId, snippetsOf, WAYS } from "../../../components/connect/snippets.ts";
import { jsonRequest } from "../../../lib/intake/otlp/testing/request.ts";
import { twoToolAgent } from "../../../lib/intake/otlp/testing/spans.ts";
import { stageClients } from "../../../scripts/stage-clients.mjs";
import { readEvents } from "../setup/event-source.ts";
import type { CallerName } from "../setup/matrix.ts";
import { addPeople, type Credentials } from "../setup/people.ts";
import { withServer } from "../setup/server.ts";

const run = promisify(execFile);
const server = withServer({ OBELUS_OTLP_SETTLE_SECONDS: "3" });

/** A server that requires keys. */
let callers: Map<CallerName, Credentials>;
const guarded = withServer(
  { OBELUS_AUTH: "1" },
  {
    prepare: async (dataDir) => {
      callers = await addPeople(dataDir);
    },
  },
);

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const hasPython = await run("python3", ["--version"]).then(
  () => true,
  () => false,
);

/** The environment of the snippets: a project with the packages, the clients, and a file of chats. */
let folder = "";
let project = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "obelus-connect-"));
  project = join(folder, "project");
  await mkdir(join(project, "node_modules"), { recursive: true });
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  await stageClients(join(folder, "clients"));
  await symlink(join(folder, "clients/npm"), join(project, "node_modules/obelus-client"));
  await cp(join(ROOT, "e2e/fixtures/support-chats.jsonl"), join(project, "conversations.jsonl"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function snippet(id: SnippetId, keyed = false): Snippet {
  const target = { origin: keyed ? guarded.url : server.url, keyed };
  const found = WAYS.flatMap((way) => snippetsOf(way, target)).find((one) => one.id === id);
  if (!found) throw new Error(`There is no snippet ${id}`);
  return found;
}

/** Runs a snippet as shown on the page. Throws if it fails; returns its output. */
async function runSnippet(id: SnippetId, key?: string): Promise<string> {
  const { language, code } = snippet(id, key !== undefined);
  const env = { ...process.env, OBELUS_KEY: key, PYTHONPATH: join(folder, "clients/python") };
  const settings = { cwd: project, env };
  switch (language) {
    case "sh":
      return (await run("bash", ["-c", code.replaceAll("curl ", "curl --silent --show-error ")], settings)).stdout;
    case "ts": {
      const file = join(project, `${id}.ts`);
      await writeFile(file, code);
      return (await run(process.execPath, [file], settings)).stdout;
    }
    case "python":
      return (await run("python3", ["-c", code], settings)).stdout;
    case "json":
      throw new Error("A configuration cannot be run");
    default:
      return language satisfies never;
  }
}

const typesOf = async (id: string) => {
  const { body } = await server.get(`/api/conversations/${id}/events`);
  return body.items.map(({ type }: { type: string }) => type);
};

/** The recorded calls of a snippet. */
async function callsOf(id: string) {
  const { body } = await server.get(`/api/conversations/${id}/view`);
  return body.calls.map(({ tool, status, output }: { tool: string; status: string; output: unknown }) => [
    tool,
    status,
    output,
  ]);
}

const FOUND = [["orders.find", "succeeded", { status: "shipped" }]];

describe("C11: snippets work as shown", () => {
  it("curl: a message, then a run with a call, its state and the answer", async () => {
    expect(JSON.parse(await runSnippet("curl-message"))).toMatchObject({
      events: [{ conversation_id: "hello", seq: 1 }],
    });
    expect(JSON.parse(await runSnippet("curl-run")).events).toHaveLength(6);
    expect(await callsOf("hello")).toEqual(FOUND);
    const { body } = await server.get("/api/conversations/hello/view");
    expect(body).toMatchObject({ status: "idle", state: { "": { order: { status: "shipped" } } } });
    expect(body.messages.map(({ content }: { content: string }) => content)).toEqual([
      "Where is my order?",
      "It is on its way.",
    ]);
  });

  it("TypeScript: the client records the same", async () => {
    await runSnippet("ts-client");
    expect(await callsOf("hello-typescript")).toEqual(FOUND);
    const { body } = await server.get("/api/conversations/hello-typescript/view");
    expect(body).toMatchObject({ status: "idle", state: { "": { order: { status: "shipped" } } } });
  });

  it.runIf(hasPython)("Python: the client records the same", async () => {
    await runSnippet("python-client");
    expect(await callsOf("hello-python-client")).toEqual(FOUND);
    const { body } = await server.get("/api/conversations/hello-python-client/view");
    expect(body).toMatchObject({ status: "idle", state: { "": { order: { status: "shipped" } } } });
  });

  it.runIf(hasPython)("Python: events with its own library alone", async () => {
    await runSnippet("python-events");
    expect(await callsOf("hello-python")).toEqual(FOUND);
  });

  it("OpenTelemetry: manual spans", async () => {
    const stream = await readEvents(server.url, "/api/stream?after=0");
    await runSnippet("otel-js");
    await stream.find(({ type, data }) => type === "run.finished" && data.conversation_id === "hello-opentelemetry");
    stream.close();
    expect(await callsOf("hello-opentelemetry")).toEqual(FOUND);
    expect(await typesOf("hello-opentelemetry")).toContain("state.written");
  });

  it.each(["otel-langchain", "otel-vercel", "otel-openai-agents"] as const)(
    "%s: its packages take it so",
    async (id) => {
      await runSnippet(id);
    },
  );

  it("OpenTelemetry: an exporter configured by the environment", async () => {
    const stream = await readEvents(server.url, "/api/stream?after=0");
    const alone = snippet("otel-js")
      .code.replace(/\{ url: "[^"]*" \}/, "")
      .replace("hello-opentelemetry", "hello-environment");
    expect(alone).toContain("new OTLPTraceExporter()");
    await writeFile(join(project, "alone.ts"), alone);
    await run("bash", ["-c", `${snippet("otel-env").code}\n'${process.execPath}' alone.ts`], { cwd: project });
    await stream.find(({ type, data }) => type === "run.finished" && data.conversation_id === "hello-environment");
    stream.close();
  });

  it("AG-UI: an event stream", async () => {
    await runSnippet("agui-post");
    expect(await callsOf("hello-ag-ui")).toEqual(FOUND);
  });

  it("files: an upload", async () => {
    const { conversations } = JSON.parse(await runSnippet("files-post"));
    expect(conversations.length).toBeGreaterThan(0);
    for (const { created } of conversations) expect(created).toBe(true);
  });

  it("assistants: the configuration has an address with the protocol", async () => {
    const { mcpServers } = JSON.parse(snippet("mcp-json").code);
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(new URL(mcpServers.obelus.url)));
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
    await client.close();
    expect(snippet("mcp-claude").code).toContain(` ${mcpServers.obelus.url}`);
  });
});

describe("Security: on a server that requires keys, snippets use the environment's", () => {
  const bearer = (name: CallerName) => callers.get(name)?.authorization ?? "";
  const ids = async () => {
    const { body } = await guarded.get("/api/conversations", { authorization: bearer("read") });
    return body.items.map(({ id }: { id: string }) => id);
  };

  it.each([
    ["curl-message", "hello"],
    ["ts-client", "hello-typescript"],
    ["otel-js", "hello-opentelemetry"],
    ["agui-post", "hello-ag-ui"],
    ...(hasPython
      ? ([
          ["python-client", "hello-python-client"],
          ["python-events", "hello-python"],
        ] as const)
      : []),
  ] as const)("%s", async (id, conversation) => {
    await runSnippet(id, bearer("ingest").replace("Bearer ", ""));
    await expect.poll(ids).toContain(conversation);
  });

  it("posting files, and an exporter's environment", async () => {
    const key = bearer("ingest").replace("Bearer ", "");
    expect(JSON.parse(await runSnippet("files-post", key)).conversations.length).toBeGreaterThan(0);
    const alone = snippet("otel-js", true)
      .code.replace(/\{\n {2}url:[\s\S]*?\n\}/, "")
      .replace("hello-opentelemetry", "hello-environment");
    expect(alone).toContain("new OTLPTraceExporter()");
    await writeFile(join(project, "alone-keyed.ts"), alone);
    const commands = `${snippet("otel-env", true).code}\n'${process.execPath}' alone-keyed.ts`;
    await run("bash", ["-c", commands], { cwd: project, env: { ...process.env, OBELUS_KEY: key } });
    await expect.poll(ids).toContain("hello-environment");
  });

  it("an assistant's configuration, too", () => {
    expect(snippet("mcp-claude", true).code).toContain('--header "Authorization: Bearer $OBELUS_KEY"');
    const { mcpServers } = JSON.parse(snippet("mcp-json", true).code);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the program that reads it puts the key there
    expect(mcpServers.obelus.headers).toEqual({ Authorization: "Bearer ${OBELUS_KEY}" });
  });
});

describe("E13: the stream has the number of waiting traces, if requested", () => {
  it("counts them while parents are missing, and none when they are mapped", async () => {
    const [asking, others] = await Promise.all([
      readEvents(server.url, "/api/stream?traces=true"),
      readEvents(server.url, "/api/stream"),
    ]);
    const orphans = twoToolAgent()
      .filter(({ parent_span_id }) => parent_span_id !== null)
      .map((span) => ({ ...span, trace_id: "f".repeat(32) }));
    expect((await server.post("/v1/traces", jsonRequest(orphans))).status).toBe(200);
    await asking.find(({ type, data }) => type === "traces.waiting" && data.count === 1);
    const late = await readEvents(server.url, "/api/stream?traces=true");
    await late.find(({ type, data }) => type === "traces.waiting" && data.count === 1);
    const told = await asking.find(({ data }) => data.conversation_id !== undefined);
    expect(told.data.id).toContain("f".repeat(32));
    await asking.find(({ type, data }) => type === "traces.waiting" && data.count === 0);
    expect(others.received.some(({ type }) => type === "traces.waiting")).toBe(false);
    for (const stream of [asking, others, late]) stream.close();
  });
});
