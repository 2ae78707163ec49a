import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStorage } from "../../db/sqlite/open.ts";
import type { Storage } from "../../db/storage.ts";
import { storedEntries } from "../server/wiring/stored-definitions.ts";
import type { JsonObject } from "../session/json/json.ts";
import { OWN_AGENTS } from "../session/own-agents.ts";
import { agentDefinition } from "./agent.ts";
import { createAgentRegistry } from "./agent-registry.ts";

let folder = "";
let storage: Storage;
const logger = pino({ level: "silent" });
const ANY = { kind: "any" } as const;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "obelus-agents-"));
  storage = await openStorage({ dataDir: folder, durability: "normal", onCommit: () => undefined, logger });
});
afterEach(async () => {
  await storage.close();
  await rm(folder, { recursive: true });
});

const file = (name: string, content: JsonObject) => writeFile(join(folder, name), JSON.stringify(content));
const open = () =>
  createAgentRegistry({
    folder,
    stored: storedEntries(OWN_AGENTS.agents, () => agentDefinition, { ...storage, logger }),
  });
const agent = (more: JsonObject = {}) => agentDefinition.parse({ instructions: "Help.", ...more });

describe("Agents are files", () => {
  it("M13: defaults are safe: an agent may do nothing until configured", async () => {
    await file("crm.json", { instructions: "Look after the deals." });
    expect((await open()).list()).toEqual([
      {
        id: "crm",
        description: "",
        instructions: "Look after the deals.",
        tools: null,
        mode: "shadow",
        locale: "en",
        history: { source: "provider", max_tokens: 4_000, max_messages: 200 },
        default: false,
        stage: null,
        prefix: { en: "", ru: "" },
        version: 0,
        source: "file",
      },
    ]);
  });

  it("D4: agents are the folder's JSON files, except those with other content", async () => {
    await file("b.json", { instructions: "b" });
    await file("a.json", { instructions: "a" });
    await file("mcp.json", { servers: {} });
    await file("risk.json", { fields: [] });
    await file("notes.txt", {});
    await mkdir(join(folder, "delegates"));
    const agents = await open();
    expect(agents.list().map(({ id }) => id)).toEqual(["a", "b"]);
    expect(agents.find("mcp")).toBeUndefined();
  });

  it.each([
    [{ instructions: "x", model: "m" }, "/model is not a known field"],
    [{ description: "x" }, "/instructions is required"],
    [{ instructions: "" }, "/instructions must not be empty"],
    [{ instructions: "x", mode: "live" }, '/mode must be one of "shadow", "canary", "full"'],
    [{ instructions: "x", locale: "de" }, "/locale must be"],
    [{ instructions: "x", tools: "all" }, "/tools must be"],
    [{ instructions: "x", max_iterations: 0 }, "/max_iterations must be"],
    [{ instructions: "x", stage: "sales" }, '/stage must be one of "admin", "demo", "demo_setup"'],
    [{ instructions: "x", prefix: { de: "[Vorführung] " } }, "/prefix/de is not a known field"],
  ])("D4: %j is refused at the start, with the file and the field", async (content, fault) => {
    await file("crm.json", content);
    await expect(open()).rejects.toThrow(`${join(folder, "crm.json")}: ${fault}`);
  });

  it("D4: two default agents are refused, naming both", async () => {
    await file("a.json", { instructions: "a", default: true });
    await file("b.json", { instructions: "b", default: true });
    await expect(open()).rejects.toThrow(`${join(folder, "b.json")}: /default is also set in a.json`);
  });
});

describe("D1: one agent per stage", () => {
  it("two files with one stage are refused, naming both", async () => {
    await file("a.json", { instructions: "a", stage: "demo" });
    await file("b.json", { instructions: "b", stage: "demo" });
    await expect(open()).rejects.toThrow(`${join(folder, "b.json")}: /stage is "demo" in a.json, too`);
  });

  it("the last written one counts; the others answer their own conversations", async () => {
    await file("a.json", { instructions: "a", stage: "demo" });
    await file("b.json", { instructions: "b", stage: "admin" });
    const agents = await open();
    expect([agents.forStage("demo")?.id, agents.forStage("admin")?.id, agents.forStage("demo_setup")]).toEqual([
      ...["a", "b", undefined],
    ]);
    expect((await agents.put("c", agent({ stage: "demo" }), ANY, "operator:anna")).agent.stage).toBe("demo");
    for (const each of [agents, await open()]) {
      expect(each.forStage("demo")?.id).toBe("c");
      expect(each.list().map(({ id, stage }) => [id, stage])).toEqual([
        ["a", null],
        ["b", "admin"],
        ["c", "demo"],
      ]);
    }
    await agents.put("c", agent(), ANY, "operator:anna");
    expect(agents.forStage("demo")).toEqual(agents.find("a"));
  });
});

describe("A stored agent overrides its file", () => {
  it("D12: a stored definition counts at once and after a restart, instead of its file", async () => {
    await file("crm.json", { instructions: "old", default: true });
    const agents = await open();
    const { agent: written, created } = await agents.put("crm", agent({ mode: "full" }), ANY, "operator:anna");
    expect([created, written.version, written.source]).toEqual([false, 1, "api"]);
    expect(agents.find("crm")).toEqual(written);
    expect((await open()).find("crm")).toEqual(written);
    const [event] = await storage.events.since(0, { limit: 1 });
    expect(event).toMatchObject({ actor: "operator:anna", payload: { agent_id: "obelus:agents", key: "crm" } });
  });

  it("D4: a new agent needs no file", async () => {
    const agents = await open();
    expect(await agents.put("new", agent(), ANY, "operator:anna")).toMatchObject({ created: true });
    expect((await open()).list()).toMatchObject([{ id: "new", version: 1 }]);
  });

  it("E12: a write requires the version that was read, also a file's", async () => {
    await file("crm.json", { instructions: "old" });
    const agents = await open();
    const at = (...versions: number[]) => ({ kind: "version", versions }) as const;
    const put = (expectation: Parameters<typeof agents.put>[2], id = "crm") =>
      agents.put(id, agent(), expectation, "operator:anna");
    for (const stale of [at(1), at(), { kind: "absent" } as const])
      await expect(put(stale)).rejects.toMatchObject({ code: "stale" });
    for (const nowhere of [at(0), { kind: "present" } as const])
      await expect(put(nowhere, "unknown")).rejects.toMatchObject({ code: "stale" });
    expect(agents.list()).toMatchObject([{ id: "crm", version: 0, instructions: "old" }]);
    expect((await put(at(0))).agent.version).toBe(1);
    await expect(put(at(0))).rejects.toMatchObject({ code: "stale", message: expect.stringContaining("version 1") });
    expect((await put({ kind: "present" })).agent.version).toBe(2);
    const both = await Promise.allSettled([put(at(2)), put(at(2))]);
    expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect((await open()).find("crm")?.version).toBe(3);
  });

  it("D4: at most one agent is the default: the last written one", async () => {
    await file("a.json", { instructions: "a" });
    await file("b.json", { instructions: "b", default: true });
    const agents = await open();
    const defaults = (from: typeof agents) => from.list().flatMap((each) => (each.default ? [each.id] : []));
    expect([agents.default()?.id, defaults(agents)]).toEqual(["b", ["b"]]);
    await agents.put("a", agent({ default: true }), ANY, "operator:anna");
    expect([agents.default()?.id, defaults(agents)]).toEqual(["a", ["a"]]);
    const again = await open();
    expect([again.default()?.id, defaults(again)]).toEqual(["a", ["a"]]);
    await agents.put("a", agent(), ANY, "operator:anna");
    expect(agents.default()?.id).toBe("b");
    await agents.put("b", agent(), ANY, "operator:anna");
    expect(agents.default()).toBeUndefined();
  });

  it("D4: which was written last is known after a restart", async () => {
    const written = (key: string, second: number) => {
      const updated_at = `2026-11-20T09:00:0${second}.000Z`;
      return { key, value: agent({ default: true }), version: 1, updated_at };
    };
    const stored = {
      load: async () => [written("a", 3), written("b", 1), written("c", 2)],
      save: async () => ({ version: 2 }),
    };
    expect((await createAgentRegistry({ folder, stored })).default()?.id).toBe("a");
  });
});
