import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { withServer } from "../setup/server.ts";

const folder = mkdtempSync(join(tmpdir(), "obelus-agents-"));
writeFileSync(join(folder, "crm.json"), JSON.stringify({ instructions: "Look after the deals.", default: true }));
afterAll(() => rmSync(folder, { recursive: true }));

const server = withServer({ OBELUS_AGENTS_DIR: folder });
const put = (id: string, definition: object, headers?: Record<string, string>) =>
  server.send("PUT", `/api/agents/${encodeURIComponent(id)}`, definition, headers);

const crm = {
  id: "crm",
  description: "",
  instructions: "Look after the deals.",
  tools: null,
  mode: "shadow",
  locale: "en",
  history: { source: "provider", max_tokens: 4_000, max_messages: 200 },
  default: true,
  stage: null,
  prefix: { en: "", ru: "" },
  version: 0,
  source: "file",
};

describe("D4: agents are data, read and written by version", () => {
  it("returns those of the folder, at version 0", async () => {
    expect((await server.get("/api/agents")).body).toEqual({ items: [crm], next: null, prev: null });
    const { status, headers, body } = await server.get("/api/agents/crm");
    expect([status, headers.get("etag"), body]).toEqual([200, '"0"', crm]);
    expect((await server.get("/api/agents/crm", { "if-none-match": '"0"' })).status).toBe(304);
    expect(await server.get("/api/agents/unknown")).toMatchObject({ status: 404, body: { code: "not_found" } });
  });

  it("E12: overrides a file only at the version that was read, also after a restart", async () => {
    const definition = {
      instructions: "Mind the deadlines, too.",
      mode: "canary",
      locale: "ru",
      tools: ["crm.deal.get"],
    };
    expect(await put("crm", definition, { "if-match": '"1"' })).toMatchObject({ status: 412, body: { code: "stale" } });
    expect((await put("crm", definition, { "if-none-match": "*" })).status).toBe(412);
    const written = await put("crm", definition, { "if-match": '"0"' });
    expect([written.status, written.headers.get("etag")]).toEqual([200, '"1"']);
    expect(written.body).toEqual({ ...crm, ...definition, default: false, version: 1, source: "api" });
    const stale = await put("crm", definition, { "if-match": '"0"' });
    expect(stale.body.detail).toBe("The agent crm is at version 1; read it and write again.");
    await server.restart("SIGKILL");
    expect((await server.get("/api/agents/crm")).body).toEqual(written.body);
  });

  it("creates an agent with an id in any script", async () => {
    const created = await put("отдел/продаж", { instructions: "Помогай.", default: true }, { "if-none-match": "*" });
    expect([created.status, created.body.mode]).toEqual([201, "shadow"]);
    const { items } = (await server.get("/api/agents")).body;
    expect(items).toMatchObject([
      { id: "crm", default: false },
      { id: "отдел/продаж", default: true },
    ]);
  });

  it("C8: keeps its history, with authors", async () => {
    await put("kept", { instructions: "first" });
    await put("kept", { instructions: "second" });
    const { items } = (await server.get("/api/agent-state/obelus:agents/kept/history")).body;
    expect(items).toMatchObject([
      { version: 2, actor: "operator:console" },
      { version: 1, actor: "operator:console" },
    ]);
    const first = await server.get("/api/agent-state/obelus:agents/kept/history/1");
    expect(first.body).toMatchObject({ instructions: "first" });
  });

  it.each([
    [{ instructions: "" }, "/instructions"],
    [{}, "/instructions"],
    [{ instructions: "x", mode: "live" }, "/mode"],
    [{ instructions: "x", tools: [""] }, "/tools/0"],
    [{ instructions: "x", version: 3 }, "/version"],
    [{ instructions: "x", timezone: "Mars/Olympus" }, "/timezone"],
    [{ instructions: "x", history: { source: "prompt" } }, "/history/source"],
    [{ instructions: "{{messageHistory}}" }, "/history/source"],
    [{ instructions: "x", history: { max_tokens: 31 } }, "/history/max_tokens"],
  ])("refuses %j at its place", async (definition, place) => {
    const { status, body } = await put("x", definition);
    expect([status, body.code, body.errors[0].path]).toEqual([400, "invalid_input", place]);
    expect((await server.get("/api/agents/x")).status).toBe(404);
  });

  it("cannot be written as agent state or by an event", async () => {
    const address = "/api/agent-state/obelus:agents/crm";
    const refused = await server.send("PUT", address, { instructions: "x" });
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      "obelus:agents is reserved for Obelus; write it with PUT /api/agents/{id} instead.",
    ]);
    expect((await server.send("DELETE", address)).status).toBe(409);
    const payload = { agent_id: "obelus:agents", key: "crm", value: { instructions: "x" } };
    const event = { conversation_id: "c", type: "agent_state.written", payload };
    expect((await server.post("/api/events", event)).status).toBe(400);
  });
});
