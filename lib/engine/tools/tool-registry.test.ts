import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createEgressPolicy } from "../../outgoing/egress.ts";
import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import { InvalidInput } from "../errors.ts";
import { createSchemaChecker } from "../json-schema.ts";
import { json, loopback } from "../testing/loopback.ts";
import { type ActivityCall, ActivityError } from "./activity.ts";
import { allowHosts } from "./http/allowed-hosts.ts";
import { NO_MCP } from "./mcp/no-servers.ts";
import { connectMcpServers, type McpTools } from "./mcp/servers.ts";
import { createSealing } from "./sealing.ts";
import type { StoredDefinitions } from "./stored-definitions.ts";
import { type ToolDefinition, toolDefinition } from "./tool-definition.ts";
import { createToolRegistry, type ToolRegistryOptions } from "./tool-registry.ts";
import type { BuiltInTool, Handler } from "./tools.ts";

const checker = createSchemaChecker();
const sealing = createSealing(new Uint8Array(32));
const http = {
  refuse: allowHosts(["127.0.0.1"]),
  way: createEgressPolicy([])({ hosts: ["127.0.0.1"] }),
  sealing,
};

const call: ActivityCall = {
  conversation_id: "c1",
  run_id: "r1",
  iteration: 1,
  call_id: "x",
  instance: "",
  tool: "add",
  attempt: 1,
  idempotency_key: "k",
  signal: new AbortController().signal,
  report: () => undefined,
};

const ADDING = {
  type: "object",
  properties: {
    a: { type: "number" },
    b: { type: "number" },
    _output: { type: "object", properties: { sum: { type: "number" } } },
  },
  required: ["a", "b"],
};

function define(definition: { name: string } & JsonObject): ToolDefinition {
  return toolDefinition.parse({ schema: ADDING, ...definition });
}

/** Keeps definitions as the log does: as JSON, from one registry to the next. */
function memory(): StoredDefinitions<ToolDefinition> & { texts: Map<string, string> } {
  const texts = new Map<string, string>();
  return {
    texts,
    load: async () => [...texts.values()].map((text) => toolDefinition.parse(JSON.parse(text))),
    save: async (definition) => void texts.set(definition.name, JSON.stringify(definition)),
  };
}

function registry(options: Partial<ToolRegistryOptions> = {}) {
  const none = { activities: new Map<string, Handler>(), builtIn: [], mcp: NO_MCP, definitions: memory() };
  return createToolRegistry({ ...none, http, checker, ...options });
}

const inProcess: Handler = {
  activity: async ({ a, b }) => ({ sum: Number(a) + Number(b) }),
  idempotent: true,
  timeout_ms: 1_000,
  retries: 0,
};

const risky: McpTools = {
  ...NO_MCP,
  find: (name) =>
    name === "crm.delete"
      ? {
          ...{ name, description: "", schema: ADDING, has_activity: true, requires_confirmation: true },
          ...{ effect: "change", guard: null, handler: inProcess },
        }
      : undefined,
};

function builtIn(name: string, more: Partial<BuiltInTool> = {}): BuiltInTool {
  const harmless = {
    description: "",
    schema: {},
    requires_confirmation: false,
    effect: "change" as const,
    guard: null,
  };
  return { name, ...harmless, handler: inProcess, ...more };
}

/** The faults of a definition that is refused, by place. */
async function faultsOf(definition: ToolDefinition): Promise<Record<string, string>> {
  const { register } = await registry();
  const error = await register(definition, null).catch((thrown) => thrown);
  if (!(error instanceof InvalidInput)) throw new Error("It was not refused", { cause: error });
  return Object.fromEntries(error.faults.map(({ path, message }) => [path, message]));
}

describe("Every kind of tool is found, described and carried out in one way", async () => {
  const server = await loopback((response, { body }) => {
    const { a, b } = JSON.parse(body).call;
    if (a === 0) json(response, { message: "nothing to add" }, 422);
    else json(response, { sum: a + b });
  });
  const mcp = connectMcpServers(
    new Map([
      [
        "box",
        {
          command: process.execPath,
          args: [fileURLToPath(new URL("../testing/mcp-stdio-server.ts", import.meta.url))],
          timeout_ms: 20_000,
        },
      ],
    ]),
    { checker, openEgress: createEgressPolicy([]), logger: { debug: vi.fn(), info: vi.fn(), warn: vi.fn() } },
  );
  const definitions = memory();
  const tools = await registry({
    activities: new Map([["adding", inProcess]]),
    builtIn: [builtIn("built.add", { schema: ADDING, handler: inProcess })],
    mcp,
    definitions,
  });
  beforeAll(async () => {
    await tools.register(define({ name: "http.add", activity: { type: "http", url: server.url } }), "operator:test");
    await tools.register(define({ name: "latent.add" }), "operator:test");
    await vi.waitFor(() => expect(mcp.list()).not.toEqual([]), { timeout: 20_000 });
  });
  afterAll(async () => {
    await mcp.close();
    await server[Symbol.asyncDispose]();
  });

  it.each([
    ["built.add", "built-in"],
    ["http.add", "api"],
    ["box.add", "mcp"],
  ])("%s", async (name, source) => {
    const tool = tools.find(name);
    expect(tool).toMatchObject({ name, source, has_activity: true, requires_confirmation: false });
    expect(isJsonObject(tool?.schema) && tool.schema.properties).toHaveProperty("_output.properties.sum");
    expect(tools.list()).toContainEqual(expect.objectContaining({ name, source }));
    const handler = tools.activity(name) ?? tool?.handler;
    expect(handler).toBe(tool?.handler);
    expect(await handler?.activity({ a: 1, b: 2 }, [], call)).toEqual({ sum: 3 });
    expect(handler?.timeout_ms).toBeGreaterThan(0);
  });

  it("latent.add", () => {
    expect(tools.find("latent.add")).toMatchObject({ source: "api", has_activity: false, handler: null });
    expect(tools.activity("latent.add")).toBeUndefined();
  });

  it("P1: finds an activity by its own name, and knows none that is not there", () => {
    expect(tools.activity("adding")).toBe(inProcess);
    expect(tools.activity("none")).toBeUndefined();
    expect(tools.find("none")).toBeUndefined();
    expect(tools.find("__proto__")).toBeUndefined();
  });

  it("knows registered tools again after a restart", async () => {
    const again = await registry({ definitions, mcp });
    expect(again.list().filter(({ source }) => source === "api")).toHaveLength(2);
    expect(await again.find("http.add")?.handler?.activity({ a: 2, b: 2 }, [], call)).toEqual({ sum: 4 });
    await expect(again.find("http.add")?.handler?.activity({ a: 0, b: 2 }, [], call)).rejects.toMatchObject({
      code: "http_422",
      message: "nothing to add",
    });
  });
});

describe("P1: which activity carries a tool out", () => {
  const prescribing = (activity: string) => ({
    type: "object",
    properties: { _activity: { const: activity } },
  });

  it("the one that its schema prescribes, else the one of its own name, else none: latent", async () => {
    const tools = await registry({ activities: new Map([["adding", inProcess]]) });
    expect(tools.make(define({ name: "plus", schema: prescribing("adding") })).handler).toBe(inProcess);
    expect(tools.make(define({ name: "adding" })).handler).toBe(inProcess);
    expect(tools.make(define({ name: "plus" }))).toMatchObject({ handler: null, has_activity: false });
  });

  it("a registered HTTP tool's activity is found under the tool's name", async () => {
    await using server = await loopback((response) => json(response, "done"));
    const tools = await registry();
    await tools.register(define({ name: "remote", activity: { type: "http", url: server.url } }), null);
    expect(await tools.activity("remote")?.activity({ a: 1, b: 2 }, [], call)).toBe("done");
    const other = tools.make(define({ name: "other", schema: prescribing("remote") }));
    expect(await other.handler?.activity({ a: 1, b: 2 }, [], call)).toBe("done");
  });

  it("a tool whose activity is not there is not latent: its calls say what is missing", async () => {
    const tools = await registry();
    const { handler } = tools.make(define({ name: "plus", schema: prescribing("gone") }));
    const error = await handler?.activity({}, [], call).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ActivityError);
    expect(error).toMatchObject({ code: "no_activity", did_not_happen: true, transient: false });
  });
});

describe("P2: what a schema may prescribe", () => {
  const withMeta = (_outputPath: Json) =>
    define({ name: "plus", schema: { $defs: { path: { const: "†state.sum" } }, properties: { _outputPath } } });

  it("by a definition of its own", async () => {
    const tools = await registry();
    expect(tools.make(withMeta({ $ref: "#/$defs/path" })).name).toBe("plus");
    expect(() => tools.make(withMeta({ $ref: "#/$defs/other" }))).toThrow(InvalidInput);
    expect(() => tools.make(withMeta({ type: "txt" }))).toThrow(InvalidInput);
  });
});

describe("P2a: one name, two definitions", () => {
  it("the later one wins: registered over MCP's over built in", async () => {
    const tools = await registry({
      builtIn: [builtIn("crm.delete", { description: "built in" })],
      mcp: risky,
    });
    expect(tools.find("crm.delete")?.source).toBe("mcp");
    await tools.register(define({ name: "crm.delete", description: "first" }), null);
    await tools.register(define({ name: "crm.delete", description: "second" }), null);
    expect(tools.find("crm.delete")).toMatchObject({ description: "second", source: "api" });
    expect(tools.list()).toHaveLength(1);
  });

  it("an override never lowers the risk: not of another source, not of the same, not after a restart", async () => {
    const definitions = memory();
    const tools = await registry({ mcp: risky, definitions });
    await tools.register(define({ name: "crm.delete", requires_confirmation: false }), null);
    expect(tools.find("crm.delete")?.requires_confirmation).toBe(true);
    await tools.register(define({ name: "pay", requires_confirmation: true }), null);
    const again = await tools.register(define({ name: "pay", requires_confirmation: false }), null);
    expect(again.requires_confirmation).toBe(true);
    const restarted = await registry({ definitions });
    expect(restarted.find("pay")?.requires_confirmation).toBe(true);
    expect(restarted.find("crm.delete")?.requires_confirmation).toBe(true);
  });

  it("nor the number of people that the file of MCP servers asks for", async () => {
    const asked = risky.find("crm.delete");
    const several = asked && { ...asked, approvals: 3 };
    const mcp = { ...risky, find: (name: string) => (name === "crm.delete" ? several : undefined) };
    const tools = await registry({ mcp });
    expect(tools.find("crm.delete")?.approvals).toBe(3);
    const schema = { type: "object", properties: { _activity: { const: "crm.delete" } } };
    expect(tools.make(define({ name: "harmless", schema })).approvals).toBe(3);
    await tools.register(define({ name: "crm.delete", approvals: 2 }), null);
    expect(tools.find("crm.delete")?.approvals).toBe(3);
  });

  it("nor does the definition of a single run, or one that borrows the activity under another name", async () => {
    const tools = await registry({ mcp: risky });
    expect(tools.make(define({ name: "crm.delete" })).requires_confirmation).toBe(true);
    const schema = { type: "object", properties: { _activity: { const: "crm.delete" } } };
    expect(tools.make(define({ name: "harmless", schema })).requires_confirmation).toBe(true);
    expect(tools.make(define({ name: "harmless" })).requires_confirmation).toBe(false);
  });
});

describe("What a definition has to hold", () => {
  const remote = (activity: JsonObject) => define({ name: "x", activity: { type: "http", ...activity } });

  it("its address is on the allow-list and has no user in it", async () => {
    expect((await faultsOf(remote({ url: "http://example.org/a" })))["/activity/url"]).toContain(
      "OBELUS_HTTP_TOOL_HOSTS",
    );
    for (const url of ["http://me:pw@127.0.0.1/", "http://me@127.0.0.1/", "http://:pw@127.0.0.1/"]) {
      expect((await faultsOf(remote({ url })))["/activity/url"]).toContain("user or password");
    }
  });

  it.each(["Host", "content-length", "Idempotency-Key", "Transfer-Encoding", "CONNECTION", "Content-Type"])(
    "its headers leave %s alone",
    async (name) => {
      const faults = await faultsOf(remote({ url: "http://127.0.0.1", headers: { [name]: "x" } }));
      expect(faults[`/activity/headers/${name}`]).toContain("set by Obelus");
    },
  );

  it.each([
    ["a b", "x"],
    ["", "x"],
    ["X-A", "a\r\nX-B: c"],
    ["X-A", "ключ"],
  ])("its headers can be sent: %j: %j cannot", async (name, value) => {
    const faults = await faultsOf(remote({ url: "http://127.0.0.1", headers: { [name]: value } }));
    expect(Object.values(faults)).toEqual([expect.stringContaining("not a valid HTTP header")]);
  });

  it.each([
    [{ type: "array" }, "/schema/type"],
    [{ properties: [] }, "/schema/properties"],
    [{ type: "object", properties: { a: { type: "txt" } } }, "/schema"],
    [{ type: "object", properties: { _output: { type: "txt" } } }, "/schema/properties/_output"],
    [{ type: "object", properties: { _outputpath: {} } }, "/schema/properties/_outputpath"],
  ])("its schema is one of an object: %j is refused at %s", async (schema, place) => {
    expect(Object.keys(await faultsOf(define({ name: "x", schema })))).toEqual([place]);
  });

  it("nothing of a refused definition is kept", async () => {
    const tools = await registry();
    await expect(tools.register(remote({ url: "http://example.org" }), null)).rejects.toThrow("OBELUS_HTTP_TOOL_HOSTS");
    expect(tools.list()).toEqual([]);
  });
});

describe("Secrets of headers", () => {
  it("are sealed where they are kept and told, and sent as they are", async () => {
    await using server = await loopback((response) => json(response, null));
    const definitions = memory();
    const tools = await registry({ definitions });
    const activity = { type: "http", url: server.url, headers: { Authorization: "Bearer s3cret" } };
    await tools.register(define({ name: "x", activity }), null);
    expect(JSON.stringify([...definitions.texts, tools.list()])).not.toContain("s3cret");
    const restarted = await registry({ definitions });
    await restarted.find("x")?.handler?.activity({ a: 1, b: 2 }, [], call);
    expect(server.received[0]?.headers.authorization).toBe("Bearer s3cret");
  });

  it("that an earlier version sealed for their server are sealed anew at the start, and those of nobody else", async () => {
    await using server = await loopback((response) => json(response, null));
    const definitions = memory();
    const old = sealing.seal("Bearer s3cret", `${server.url}\nauthorization`);
    const activity = { type: "http", url: `${server.url}/a`, headers: { Authorization: old } };
    await definitions.save(define({ name: "x", activity }), null);
    const tools = await registry({ definitions });
    expect(definitions.texts.get("x")).not.toContain(old);
    await tools.find("x")?.handler?.activity({ a: 1, b: 2 }, [], call);
    expect(server.received[0]?.headers.authorization).toBe("Bearer s3cret");
    expect(() => tools.make(define({ name: "x", activity }))).toThrow("encrypted for another tool or address");
    const kept = definitions.texts.get("x");
    await registry({ definitions });
    expect(definitions.texts.get("x")).toBe(kept);
  });

  it("stay usable in the form for events, for their own tool and address only", async () => {
    await using server = await loopback((response) => json(response, null));
    const tools = await registry();
    const activity = { type: "http", url: `${server.url}/a`, headers: { Authorization: "Bearer s3cret" } };
    const sealed = tools.sealed(define({ name: "x", activity }));
    expect(JSON.stringify(sealed)).not.toContain("s3cret");
    await tools.make(sealed).handler?.activity({ a: 1, b: 2 }, [], call);
    expect(server.received[0]?.headers.authorization).toBe("Bearer s3cret");
    for (const change of [{ url: "http://127.0.0.1:1/a" }, { url: `${server.url}/b` }, { method: "PUT" as const }]) {
      const moved = { ...sealed, activity: sealed.activity && { ...sealed.activity, ...change } };
      expect(() => tools.make(moved)).toThrow("encrypted for another tool or address");
    }
    expect(() => tools.make({ ...sealed, name: "y" })).toThrow("encrypted for another tool or address");
  });
});
