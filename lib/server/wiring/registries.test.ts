import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStorage } from "../../../db/sqlite/open.ts";
import type { Storage } from "../../../db/storage.ts";
import { createBitrixClient } from "../../crm/client.ts";
import { createSchemaChecker } from "../../engine/json-schema.ts";
import { toolDefinition } from "../../engine/tools/tool-definition.ts";
import { createEgressPolicy } from "../../outgoing/egress.ts";
import { readConfig } from "../config.ts";
import { StartupError } from "../startup-error.ts";
import { openRegistries, type Registries } from "./registries.ts";
import { secretKey } from "./secret-key.ts";

let folder = "";
let storage: Storage;
let logged: string[] = [];
const opened: Registries[] = [];
const logger = pino({ level: "warn" }, { write: (line: string) => void logged.push(line) });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "obelus-registries-"));
  await mkdir(join(folder, "agents", "delegates"), { recursive: true });
  storage = await openStorage({ dataDir: folder, durability: "normal", onCommit: () => undefined, logger });
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ close }) => close()));
  await storage.close();
  await rm(folder, { recursive: true });
  logged = [];
});

/** Registered ones, without built-in ones. */
function namesOf(tools: Registries["tools"]): string[] {
  return tools.list().flatMap(({ name, source }) => (source === "built-in" ? [] : [name]));
}

const crm = createBitrixClient({ webhookUrl: "http://127.0.0.1:9/rest/1/secret/" });

async function open(): Promise<Registries> {
  const config = readConfig({
    OBELUS_DATA_DIR: folder,
    OBELUS_AGENTS_DIR: join(folder, "agents"),
    OBELUS_HTTP_TOOL_HOSTS: "127.0.0.1",
  });
  const registries = await openRegistries({
    config,
    storage,
    checker: createSchemaChecker(),
    openEgress: createEgressPolicy([]),
    logger,
    crm,
  });
  opened.push(registries);
  return registries;
}

const latent = (name: string) => toolDefinition.parse({ name, schema: { type: "object" } });

describe("Registered tools and delegates are in the log", () => {
  it("and loaded at the next start, hundreds of them too", async () => {
    const { tools } = await open();
    await Promise.all(Array.from({ length: 250 }, (_, n) => tools.register(latent(`tool ${n}/${n}`), "operator:test")));
    const again = await open();
    expect(namesOf(again.tools)).toHaveLength(250);
    expect(again.tools.find("tool 7/7")).toMatchObject({ source: "api", handler: null });
  });

  it("the newest of a name counts", async () => {
    const { tools } = await open();
    for (const description of ["first", "second"]) await tools.register({ ...latent("a"), description }, null);
    expect((await open()).tools.find("a")?.description).toBe("second");
  });

  it("an invalid one is ignored and logged", async () => {
    const { tools } = await open();
    await tools.register(latent("good"), null);
    const put = (key: string, value: string | { name: string; schema?: object }) =>
      storage.log.putAgentState({
        agentId: "obelus:tools",
        key,
        value: JSON.parse(JSON.stringify(value)),
        expect: { kind: "any" },
        actor: null,
      });
    await put("broken", "no tool");
    await put("renamed", { name: "other", schema: { type: "object" } });
    const again = await open();
    expect(namesOf(again.tools)).toEqual(["good"]);
    expect(logged.join("")).toContain('"key":"broken"');
    expect(logged.join("")).toContain('"key":"renamed"');
  });

  it("without the secrets of their headers, which are decrypted at the next start", async () => {
    const { tools } = await open();
    const activity = { type: "http", url: "http://127.0.0.1:1/", headers: { Authorization: "Bearer s3cret" } };
    await tools.register(toolDefinition.parse({ name: "a", schema: { type: "object" }, activity }), null);
    const events = await storage.events.since(0, { limit: 100 });
    expect(JSON.stringify(events)).toContain('"agent_state.written"');
    expect(JSON.stringify(events)).not.toContain("s3cret");
    const again = (await open()).tools;
    const stored = again.find("a")?.http;
    const named = (name: string) => toolDefinition.parse({ name, schema: { type: "object" }, activity: stored });
    expect(again.make(named("a")).has_activity).toBe(true);
    expect(() => again.make(named("b"))).toThrow("encrypted for another tool");
  });
});

describe("Errors that the operator can fix are reported at the start", () => {
  it("of a delegate's file and of mcp.json", async () => {
    await writeFile(join(folder, "agents", "delegates", "a.json"), '{"plam": []}');
    const error = await open().catch((thrown) => thrown);
    expect(error).toBeInstanceOf(StartupError);
    expect(error.message).toBe(`${join(folder, "agents", "delegates", "a.json")}: /plam is not a known field.`);
    await rm(join(folder, "agents", "delegates", "a.json"));
    await writeFile(join(folder, "agents", "mcp.json"), '{"servers": {"a": {"args": []}}}');
    await expect(open()).rejects.toThrow("mcp.json: /servers/a/command is required");
  });

  it("M13: approval rules can be in a file", async () => {
    const update = { id: 1, fields: { OPPORTUNITY: 5, COMMENTS: "x" } };
    const riskOf = async () => (await open()).tools.find("crm.deal.update")?.guard?.risk(update) ?? null;
    expect(await riskOf()).toContain("OPPORTUNITY");
    const file = join(folder, "agents", "risk.json");
    await writeFile(file, JSON.stringify({ fields: { "crm.deal.update": ["COMMENTS"] }, methods: [] }));
    expect(await riskOf()).toContain("COMMENTS");
    expect(await riskOf()).not.toContain("OPPORTUNITY");
    await writeFile(file, '{"fields": {}}');
    await expect(open()).rejects.toThrow("risk.json: /methods is required");
    await rm(file);
  });

  it("C10: prices can be in a file", async () => {
    expect((await open()).prices).toEqual({});
    const file = join(folder, "agents", "prices.json");
    const prices = { "writer-1": { input: 0.25, output: 2, currency: "USD" } };
    await writeFile(file, JSON.stringify(prices));
    const { prices: known, agents } = await open();
    expect(known).toEqual(prices);
    expect(agents.find("prices")).toBeUndefined();
    await writeFile(file, '{"writer-1": {"input": -1, "output": 2, "currency": "USD"}}');
    await expect(open()).rejects.toThrow("prices.json: /writer-1/input must be 0 or more, per million tokens");
    await rm(file);
  });

  it("an invalid key; a new one is private to its owner, and stays", async () => {
    const files = { secret: null, dataDir: folder };
    const key = await secretKey(files);
    expect(await secretKey(files)).toEqual(key);
    expect((await stat(join(folder, "secret.key"))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(folder, "secret.key"), "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
    await writeFile(join(folder, "secret.key"), "abc");
    await expect(secretKey(files)).rejects.toThrow("does not contain a key");
  });
});
