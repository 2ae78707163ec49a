import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it, vi } from "vitest";
import { withServer } from "../setup/server.ts";

const mcpServer = fileURLToPath(new URL("../../../lib/engine/testing/mcp-stdio-server.ts", import.meta.url));
const agents = mkdtempSync(join(tmpdir(), "obelus-agents-"));
mkdirSync(join(agents, "delegates"));
writeFileSync(join(agents, "delegates", "summarize.json"), JSON.stringify({ description: "Summarizes" }));
const servers = {
  box: { command: process.execPath, args: [mcpServer] },
  // Nobody waits for one that never responds.
  mute: { command: process.execPath, args: ["-e", "setInterval(() => 0, 9999)"] },
};
writeFileSync(join(agents, "mcp.json"), JSON.stringify({ servers }));
afterAll(() => rmSync(agents, { recursive: true }));

const server = withServer({ OBELUS_HTTP_TOOL_HOSTS: "127.0.0.1", OBELUS_AGENTS_DIR: agents });

const schema = { type: "object", properties: { order: { type: "string" } }, required: ["order"] };
const http = { type: "http", url: "http://127.0.0.1:9/refund" };

async function tool(name: string) {
  const { body } = await server.get("/api/tools");
  return body.items.find((item: { name: string }) => item.name === name);
}

describe("P24: tools are registered and listed", () => {
  it("returns a tool as defined, its source, and whether it is latent", async () => {
    const activity = { ...http, method: "PUT", timeout_ms: 5_000 };
    const created = await server.post("/api/tools", { name: "refund", description: "Pays back", schema, activity });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      name: "refund",
      description: "Pays back",
      schema,
      activity: { ...activity, headers: {}, retries: 2 },
      requires_confirmation: false,
      source: "api",
      latent: false,
    });
    expect(await tool("refund")).toEqual(created.body);
    const latent = await server.post("/api/tools", { name: "summary", schema });
    expect([latent.status, latent.body.latent]).toEqual([201, true]);
    const { body } = await server.get("/api/tools");
    expect([body.next, body.prev]).toEqual([null, null]);
  });

  it("lists tools of MCP servers when connected", async () => {
    await vi.waitFor(async () => expect(await tool("box.add")).toMatchObject({ source: "mcp", latent: false }), {
      timeout: 20_000,
      interval: 50,
    });
    expect(await tool("box.wipe")).toMatchObject({ requires_confirmation: true });
  });

  it("P2a: the later definition wins, and never lowers the risk", async () => {
    await server.post("/api/tools", { name: "pay", schema, requires_confirmation: true });
    const again = await server.post("/api/tools", { name: "pay", schema, activity: http });
    expect([again.status, again.body.latent, again.body.requires_confirmation]).toEqual([201, false, true]);
    await server.post("/api/tools", { name: "box.wipe", schema });
    expect(await tool("box.wipe")).toMatchObject({ source: "api", requires_confirmation: true });
  });

  it("survive a restart", async () => {
    await server.post("/api/tools", { name: "kept", schema, activity: http });
    await server.restart("SIGKILL");
    expect(await tool("kept")).toMatchObject({ source: "api", activity: { url: http.url } });
  });

  it.each([
    ["/activity/url", "OBELUS_HTTP_TOOL_HOSTS", { schema, activity: { ...http, url: "http://example.org/" } }],
    ["/activity/url", "user or password", { schema, activity: { ...http, url: "http://me:pw@127.0.0.1/" } }],
    ["/activity/url", "http://", { schema, activity: { ...http, url: "file:///etc/passwd" } }],
    ["/activity/headers/Host", "is set by Obelus", { schema, activity: { ...http, headers: { Host: "a" } } }],
    ["/activity/timeout_ms", "at least 1", { schema, activity: { ...http, timeout_ms: 0 } }],
    ["/schema", "not a JSON Schema", { schema: { type: "object", properties: { a: { type: "txt" } } } }],
    ["/schema", "must be an object", { schema: "none" }],
    ["/schema", "must be an object", {}],
    ["/handler", "is not a known field", { schema, handler: 1 }],
  ])("refuses %s: %s", async (place, sentence, fields) => {
    const { status, body } = await server.post("/api/tools", { name: "x", ...fields });
    expect([status, body.code]).toEqual([400, "invalid_input"]);
    expect(body.errors[0].path).toBe(place);
    expect(body.detail).toContain(sentence);
    expect(await tool("x")).toBeUndefined();
  });
});

describe("Secrets of tools stay secret", () => {
  it("header values are not shown: not in lists, agent state, or events", async () => {
    const before = await server.post("/api/events", { conversation_id: "marker", type: "log" });
    const activity = { ...http, headers: { Authorization: "Bearer s3cret" } };
    const created = await server.post("/api/tools", { name: "secret", schema, activity });
    expect(created.body.activity.headers.Authorization).toMatch(/^sealed:/);
    const stored = await server.get("/api/agent-state/obelus:tools/secret");
    const response = await fetch(`${server.url}/api/stream?after=${before.body.events[0].position}`);
    let streamed = "";
    for await (const chunk of response.body ?? []) {
      streamed += new TextDecoder().decode(chunk);
      if (streamed.includes("agent_state.written")) break;
    }
    const shown = JSON.stringify([created.body, (await server.get("/api/tools")).body, stored.body, streamed]);
    expect(shown).toContain("sealed:");
    expect(shown).not.toContain("s3cret");
    // Shown values may be sent back.
    const { source: _, latent: __, ...definition } = created.body;
    expect((await server.post("/api/tools", definition)).status).toBe(201);
  });

  it("its agent state cannot be written by others: neither directly nor by an event", async () => {
    for (const address of ["/api/agent-state/obelus:tools/x", "/api/agent-state/obelus:delegates/x"]) {
      const put = await server.send("PUT", address, { name: "x", schema });
      expect([put.status, put.body.code]).toEqual([409, "conflict"]);
      expect(put.body.detail).toMatch(/register it with POST \/api\/(tools|delegates)/);
      expect((await server.send("DELETE", address)).status).toBe(409);
    }
    const event = {
      conversation_id: "c",
      type: "agent_state.written",
      payload: { agent_id: "obelus:tools", key: "x", value: { name: "x", schema } },
    };
    const { status, body } = await server.post("/api/events", event);
    expect([status, body.errors[0].path]).toEqual([400, "/payload/agent_id"]);
    expect((await server.get("/api/agent-state/obelus:tools/x")).status).toBe(404);
  });
});

describe("P27: delegates are registered and listed", () => {
  it("lists those of the folder, overridden by registered ones, also after a restart", async () => {
    const names = async () => (await server.get("/api/delegates")).body.items.map(({ name }: { name: string }) => name);
    expect(await names()).toContain("summarize");
    const delegate = { name: "translate", description: "Translates", plan: [{ _tool: "t", text: "†input.text" }] };
    const created = await server.post("/api/delegates", delegate);
    expect(created.status).toBe(201);
    expect(created.body).toEqual({ ...delegate, context: [], strict: false, writes: [] });
    await server.restart("SIGTERM");
    expect(await names()).toEqual(expect.arrayContaining(["summarize", "translate"]));
  });

  it.each([
    [{ name: "anonymous" }, "/name"],
    [{ name: "x", writes: ["†input.a"] }, "/writes/0"],
    [{ name: "x", output_schema: { type: "txt" } }, "/output_schema"],
    [{ name: "x", max_depth: 9 }, "/max_depth"],
    [{ name: "x", prompt: "?" }, "/prompt"],
  ])("refuses %j at its place", async (delegate, place) => {
    const { status, body } = await server.post("/api/delegates", delegate);
    expect([status, body.errors?.[0].path]).toEqual([400, place]);
  });

  it("refuses a plan that can never be valid, with its problems", async () => {
    const plan = [{ _tool: "t", _id: "a", _output_path: "†state.x" }];
    const { status, body } = await server.post("/api/delegates", { name: "x", plan });
    expect(status).toBe(422);
    expect(body.detail).toContain("_output_path is not a property of a call; the nearest is _outputPath");
  });
});
