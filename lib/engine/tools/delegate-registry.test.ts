import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSchemaChecker } from "../json-schema.ts";
import { AgentsFileError } from "./agents-file.ts";
import { type DelegateDefinition, delegateDefinition } from "./delegate.ts";
import { createDelegateRegistry } from "./delegate-registry.ts";
import { readMcpServers } from "./mcp/config.ts";

const checker = createSchemaChecker();
let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "obelus-agents-"));
  await mkdir(join(folder, "delegates"));
});
afterEach(() => rm(folder, { recursive: true }));

function open(kept: DelegateDefinition[] = [], from = folder) {
  const definitions = {
    load: async () => kept,
    save: async (definition: DelegateDefinition) => void kept.push(definition),
  };
  return createDelegateRegistry({ folder: from, definitions, checker });
}

const write = (name: string, content: unknown) =>
  writeFile(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));

describe("P27: delegates are files of agents/delegates/, or registered", () => {
  it("reads every file of the folder, called as it is", async () => {
    await write("delegates/summarize.json", { description: "Summarizes", plan: [{ _tool: "sum" }] });
    await write("delegates/отчёт.json", { name: "отчёт" });
    await write("delegates/README.md", "not a delegate");
    const delegates = await open();
    expect(delegates.list().map(({ name }) => name)).toEqual(["summarize", "отчёт"]);
    expect(delegates.find("summarize")).toMatchObject({ description: "Summarizes", strict: false, writes: [] });
    expect(delegates.find("none")).toBeUndefined();
  });

  it("has none where there is no folder", async () => {
    expect((await open([], join(folder, "nowhere"))).list()).toEqual([]);
  });

  it("lays registered ones over those of the folder, also after a restart", async () => {
    await write("delegates/a.json", { description: "file" });
    const kept: DelegateDefinition[] = [];
    const definition = delegateDefinition.parse({ name: "a", description: "registered" });
    const delegates = await open(kept);
    await delegates.register(definition, "operator:test");
    expect(delegates.find("a")?.description).toBe("registered");
    expect((await open(kept)).find("a")?.description).toBe("registered");
  });

  it.each([
    ["{", "this is not JSON"],
    [[], "must be an object"],
    [{ plann: [] }, "/plann is not a known field"],
    [{ plan: [{ id: "x" }] }, "/plan/0/_tool is required"],
    [{ name: "b" }, "/name must be a, like the file name"],
    [{ output_schema: { type: "txt" } }, "/output_schema is not a JSON Schema"],
    [{ writes: ["state.x"] }, "/writes/0 is not a state path"],
    [{ writes: ["†input.x"] }, "/writes/0 is not a state path"],
    [{ output: "†state.x" }, "/output requires a plan"],
    [{ context: [{ type: "data", kind: "a b" }] }, "/context/0"],
    [{ plan: [{ _tool: "t", x: "†state." }] }, "/plan, call t#1/x"],
    [
      { plan: [{ _tool: "t", x: "†state.a", _outputPath: "†state.a" }] },
      "t#1/x: t#1 reads †state.a, which it writes itself",
    ],
  ])("refuses a file with %j, naming it and the place", async (content, sentence) => {
    await write("delegates/a.json", content);
    const error = await open().catch((thrown) => thrown);
    expect(error).toBeInstanceOf(AgentsFileError);
    expect(error.message).toContain(`${join(folder, "delegates", "a.json")}: `);
    expect(error.message).toContain(sentence);
  });

  it("refuses to register what does not hold, naming the places, and a plan with its problems", async () => {
    const delegates = await open();
    const register = (fields: object) => delegates.register(delegateDefinition.parse({ name: "a", ...fields }), null);
    await expect(register({ writes: ["x", "†state.y"] })).rejects.toMatchObject({
      code: "invalid_input",
      faults: [{ path: "/writes/0" }],
    });
    const loop = { _tool: "t", _id: "one", x: "†state.b", _outputPath: "†state.a" };
    const back = { _tool: "t", _id: "two", x: "†state.a", _outputPath: "†state.b", _output_path: "†state.c" };
    await expect(register({ plan: [loop, back] })).rejects.toMatchObject({
      code: "invalid_plan",
      problems: [
        { code: "unknown_meta", call: "two", path: "/_output_path" },
        { code: "cycle", call: "one" },
      ],
    });
    expect(delegates.list()).toEqual([]);
  });

  it("takes what depends on where it runs for granted: tools, input, what the parent passes on", async () => {
    const delegates = await open();
    const plan = [{ _tool: "of.the.caller", x: "†input.text", y: "†profile.name", _outputPath: "†state.z" }];
    const definition = delegateDefinition.parse({ name: "a", plan, output: "†state.z" });
    expect(await delegates.register(definition, null)).toEqual(definition);
  });

  it("ships a translator, and no MCP servers", async () => {
    const shipped = fileURLToPath(new URL("../../../agents", import.meta.url));
    const delegates = await open([], shipped);
    expect(delegates.find("translator")).toMatchObject({ output_schema: { required: ["text", "language"] } });
    expect(await readMcpServers(shipped, {})).toEqual(new Map());
  });
});

/** How the file names a variable of the environment. */
const variable = (name: string) => `\${${name}}`;

describe("MCP servers are configured in agents/mcp.json", () => {
  it("reads commands and addresses, and takes secrets from the environment", async () => {
    await write("mcp.json", {
      servers: {
        files: {
          command: "npx",
          args: ["-y", "files"],
          env: { TOKEN: `a${variable("FILES_TOKEN")}b` },
          tools: ["read"],
        },
        crm: {
          url: "https://crm.example.org/mcp",
          headers: { Authorization: `Bearer ${variable("KEY")}` },
          requires_confirmation: true,
        },
      },
    });
    const servers = await readMcpServers(folder, { FILES_TOKEN: "1", KEY: "2" });
    expect(servers.get("files")).toEqual({
      command: "npx",
      args: ["-y", "files"],
      env: { TOKEN: "a1b" },
      tools: ["read"],
      timeout_ms: 30_000,
    });
    expect(servers.get("crm")).toMatchObject({ headers: { Authorization: "Bearer 2" }, requires_confirmation: true });
  });

  it("has none without a file", async () => {
    expect(await readMcpServers(folder, {})).toEqual(new Map());
  });

  it.each([
    ["{", "this is not JSON"],
    [{}, "/servers is required"],
    [{ servers: { a: {} } }, "/servers/a/command is required unless url is set"],
    [{ servers: { a: { command: "x", url: "http://x.y" } } }, "/servers/a/url cannot be combined with command"],
    [{ servers: { a: { url: "ftp://x" } } }, "/servers/a/url must be a URL"],
    [{ servers: { a: { url: "http://x.y", args: [] } } }, "/servers/a/args is only allowed with command"],
    [{ servers: { a: { command: "x", headers: {} } } }, "/servers/a/headers is only allowed with url"],
    [{ servers: { a: { command: "x", cmd: 1 } } }, "/servers/a/cmd is not a known field"],
    [{ servers: { a: { command: "x", approvals: 6 } } }, "/servers/a/approvals must be at most 5"],
    [{ servers: { a: { command: "x", approvals: { pay: 0 } } } }, "/servers/a/approvals/pay must be at least 1"],
    [
      { servers: { a: { command: "x", tools: ["get"], approvals: { pay: 2 } } } },
      "/servers/a/approvals names pay, which is not among tools",
    ],
    [{ servers: { "a.b": { command: "x" } } }, "/servers/a.b must contain only letters"],
    [
      { servers: { a: { command: "x", env: { T: variable("NO_SUCH") } } } },
      "/servers/a/env/T requires the environment variable NO_SUCH",
    ],
  ])("refuses %j, naming the file and the field", async (content, sentence) => {
    await write("mcp.json", content);
    const error = await readMcpServers(folder, {}).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(AgentsFileError);
    expect(error.message).toContain(`${join(folder, "mcp.json")}: ${sentence}`);
  });
});
