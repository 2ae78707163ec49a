import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createEgressPolicy } from "../../../outgoing/egress.ts";
import type { JsonObject } from "../../../session/json/json.ts";
import { createSchemaChecker } from "../../json-schema.ts";
import { serveMcpOverHttp, serveOlderMcpOverHttp } from "../../testing/mcp-http-server.ts";
import { type ActivityCall, ActivityError, type ProgressReport } from "../activity.ts";
import type { McpServer } from "./config.ts";
import { connectMcpServers, type McpTools } from "./servers.ts";

const SCRIPT = fileURLToPath(new URL("../../testing/mcp-stdio-server.ts", import.meta.url));

const call: ActivityCall = {
  conversation_id: "c1",
  run_id: "r1",
  iteration: 1,
  call_id: "x",
  instance: "",
  tool: "x",
  attempt: 1,
  idempotency_key: "k",
  signal: new AbortController().signal,
  report: () => undefined,
};

/** What servers wrote to the log. */
let logged: string[] = [];
const open: McpTools[] = [];

function connect(servers: Record<string, Partial<McpServer>>): McpTools {
  const write = (details: object, message: string) => logged.push(`${message} ${JSON.stringify(details)}`);
  const configured = Object.entries(servers).map(([name, server]): [string, McpServer] => [
    name,
    { timeout_ms: 20_000, ...server },
  ]);
  const tools = connectMcpServers(new Map(configured), {
    checker: createSchemaChecker(),
    openEgress: createEgressPolicy([]),
    logger: { debug: write, info: write, warn: write },
  });
  open.push(tools);
  return tools;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((tools) => tools.close()));
  logged = [];
});

function run(tools: McpTools, name: string, params: JsonObject = {}, signal = call.signal): Promise<unknown> {
  const handler = tools.find(name)?.handler;
  if (!handler) throw new Error(`There is no tool ${name}`);
  return handler.activity(params, [], { ...call, signal });
}

async function failure(result: Promise<unknown>): Promise<ActivityError> {
  const error = await result.catch((thrown) => thrown);
  if (error instanceof ActivityError) return error;
  throw new Error(`It gave ${JSON.stringify(error)}`, { cause: error });
}

function names(tools: McpTools): string[] {
  return tools.list().map(({ name }) => name);
}

/** Resolves when the tools are there. */
async function arrived(tools: McpTools, name: string): Promise<void> {
  await vi.waitFor(() => expect(names(tools)).toContain(name), { timeout: 20_000, interval: 20 });
}

const stdio = (more: Partial<McpServer> = {}) => ({ command: process.execPath, args: [SCRIPT], ...more });

/** The processes that the servers told of in the log, those of tried and left connections too. */
function processes(): number[] {
  return logged.flatMap((line) => [...line.matchAll(/process (\d+) is here/g)].map(([, pid]) => Number(pid)));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe.each(["stdio", "streamable HTTP"])("MCP over %s", (kind) => {
  async function withServer(test: (tools: McpTools) => Promise<void>, more: Partial<McpServer> = {}) {
    if (kind === "stdio") return test(connect({ box: stdio(more) }));
    await using server = await serveMcpOverHttp();
    await test(connect({ box: { url: server.url, ...more } }));
  }

  it("offers its tools as server.tool, with the schemas of what they take and give", () =>
    withServer(async (tools) => {
      await arrived(tools, "box.add");
      expect(tools.find("box.add")).toMatchObject({
        name: "box.add",
        description: "Adds two numbers",
        has_activity: true,
        requires_confirmation: false,
        schema: {
          type: "object",
          properties: {
            a: { type: "number" },
            _output: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
          },
          required: ["a", "b"],
        },
      });
      expect(tools.find("box.none")).toBeUndefined();
      expect(tools.find("other.add")).toBeUndefined();
    }));

  it("P24: takes from hints what may be done twice and what a person has to confirm", () =>
    withServer(async (tools) => {
      await arrived(tools, "box.add");
      const told = (name: string) => [tools.find(name)?.handler?.idempotent, tools.find(name)?.requires_confirmation];
      expect(told("box.add")).toEqual([true, false]);
      expect(told("box.learn")).toEqual([true, false]);
      expect(told("box.say")).toEqual([false, false]);
      expect(told("box.wipe")).toEqual([false, true]);
    }));

  it("gives structured content, else JSON, else text, else the content as it is", () =>
    withServer(async (tools) => {
      expect(await run(tools, "box.add", { a: 1, b: 2 })).toEqual({ sum: 3 });
      expect(await run(tools, "box.say", { text: '{"a": [1]}' })).toEqual({ a: [1] });
      expect(await run(tools, "box.say", { text: "12" })).toBe("12");
      expect(await run(tools, "box.say", { text: "{" })).toBe("{");
      expect(await run(tools, "box.draw")).toEqual([{ type: "image", data: "AAAA", mimeType: "image/png" }]);
    }));

  it("tells the progress that a tool tells: of a total, or without one its words alone", () =>
    withServer(async (tools) => {
      const told: ProgressReport[] = [];
      await arrived(tools, "box.count");
      const handler = tools.find("box.count")?.handler;
      const report = (progress: ProgressReport) => void told.push(progress);
      const counted = handler?.activity({}, [], { ...call, report });
      await expect
        .poll(() => told)
        .toEqual([
          { part: 0.25, message: "One" },
          { part: undefined, message: undefined },
        ]);
      await run(tools, "box.told");
      expect(await counted).toBe("counted");
    }));

  it("P24: fails as the tool does, and when it refuses what it is given", () =>
    withServer(async (tools) => {
      expect(await failure(run(tools, "box.fail"))).toMatchObject({ code: "tool_error", message: "the disk is full" });
      const refused = await failure(run(tools, "box.add", { a: "x" }));
      expect(refused).toMatchObject({ transient: false, did_not_happen: false });
    }));

  it("refuses a result that is too large or too deep", () =>
    withServer(async (tools) => {
      const large = { text: "x".repeat(1_000_001) };
      expect(await failure(run(tools, "box.say", large))).toMatchObject({ code: "answer_too_large" });
    }));

  it("P24: stops waiting when the call is cancelled", () =>
    withServer(async (tools) => {
      await arrived(tools, "box.hang");
      const stop = new AbortController();
      const cancelled = run(tools, "box.hang", {}, stop.signal);
      const reason = new Error("cancelled");
      stop.abort(reason);
      await expect(cancelled).rejects.toBe(reason);
      await expect(run(tools, "box.hang", {}, stop.signal)).rejects.toBe(reason);
    }));

  it("P24: a time-out may be tried again when the tool is idempotent", () =>
    withServer(
      async (tools) => {
        await arrived(tools, "box.hang");
        const late = await failure(run(tools, "box.hang"));
        expect(late).toMatchObject({ code: "timed_out", transient: true, did_not_happen: false });
      },
      { timeout_ms: 50 },
    ));

  it("takes only the tools that are named, and confirms all of them if it is said so", () =>
    withServer(
      async (tools) => {
        await arrived(tools, "box.add");
        expect(names(tools)).toEqual(["box.add", "box.say"]);
        expect(tools.find("box.wipe")).toBeUndefined();
        expect(tools.find("box.add")?.requires_confirmation).toBe(true);
      },
      { tools: ["add", "say", "gone"], requires_confirmation: true },
    ));
});

describe("P22b: several people approve calls of MCP tools", () => {
  const needed = (tools: McpTools) =>
    ["box.add", "box.say", "box.wipe"].map((name) => {
      const tool = tools.find(name);
      return [tool?.approvals, tool?.requires_confirmation];
    });

  it("those that the file names, also before the server was there; the log tells of names that it does not have", async () => {
    const named = { requires_confirmation: false, approvals: { add: 2, say: 1, ad: 3 } };
    await using server = await serveMcpOverHttp();
    const tools = connect({ box: { url: server.url, ...named }, gone: { command: "no", ...named } });
    await arrived(tools, "box.add");
    expect(needed(tools)).toEqual([
      [2, true],
      [undefined, false],
      [undefined, false],
    ]);
    expect(logged.join()).toContain('{"server":"box","missing":["ad"]}');
    expect(tools.find("gone.add")).toMatchObject({ approvals: 2, requires_confirmation: true });
    expect(tools.find("gone.toString")?.approvals).toBeUndefined();
  });

  it("all of a server", async () => {
    await using server = await serveMcpOverHttp();
    const tools = connect({ box: { url: server.url, approvals: 3 } });
    await arrived(tools, "box.add");
    expect(needed(tools)).toEqual(Array.from({ length: 3 }, () => [3, true]));
  });
});

describe("MCP: servers come, change and go", () => {
  it("notices a tool that is added, over stdio", async () => {
    const tools = connect({ box: stdio() });
    await run(tools, "box.learn");
    await arrived(tools, "box.learnt");
    expect(await run(tools, "box.learnt")).toBe("new");
  });

  it("notices a tool that is added, over streamable HTTP", async () => {
    await using server = await serveMcpOverHttp();
    const tools = connect({ box: { url: server.url } });
    await arrived(tools, "box.add");
    server.learn();
    await arrived(tools, "box.learnt");
  });

  it("P24: a call to a server that is not there did not happen; it may be any tool, and a dangerous one", async () => {
    const tools = connect({
      box: { command: "no-such-command-anywhere" },
      free: { command: "no", requires_confirmation: false },
    });
    expect(names(tools)).toEqual([]);
    expect(tools.find("box.add")).toMatchObject({ requires_confirmation: true, handler: { idempotent: false } });
    expect(tools.find("free.add")).toMatchObject({ requires_confirmation: false });
    const error = await failure(run(tools, "box.add"));
    expect(error).toMatchObject({ code: "mcp_unavailable", did_not_happen: true, transient: true });
    expect(error.message).toContain("The MCP server box is not connected");
  });

  it("waits for a server that is being connected", async () => {
    const tools = connect({ box: stdio() });
    expect(await run(tools, "box.add", { a: 2, b: 2 })).toEqual({ sum: 4 });
  });

  it("comes back after a server's process has ended", async () => {
    const tools = connect({ box: stdio() });
    await arrived(tools, "box.add");
    const died = await failure(run(tools, "box.die"));
    expect(died).toMatchObject({ code: "mcp_unavailable", did_not_happen: false, transient: true });
    await vi.waitFor(async () => expect(await run(tools, "box.add", { a: 1, b: 1 })).toEqual({ sum: 2 }), {
      timeout: 20_000,
      interval: 50,
    });
  });

  it("comes back after a server at an address was away", async () => {
    const first = await serveMcpOverHttp();
    const tools = connect({ box: { url: first.url } });
    await arrived(tools, "box.add");
    await first[Symbol.asyncDispose]();
    await vi.waitFor(async () => {
      expect(await failure(run(tools, "box.add", { a: 1, b: 1 }))).toMatchObject({ code: "mcp_unavailable" });
    });
    expect(names(tools)).toContain("box.add");
    await using _again = await serveMcpOverHttp(first.port);
    await vi.waitFor(async () => expect(await run(tools, "box.add", { a: 1, b: 1 })).toEqual({ sum: 2 }), {
      timeout: 20_000,
      interval: 50,
    });
  });

  it("gives a process its environment and no other, and logs what it writes to standard error", async () => {
    vi.stubEnv("MCP_TEST_HIDDEN", "secret");
    const tools = connect({ box: stdio({ env: { MCP_TEST_NAME: "Ada" } }) });
    expect(await run(tools, "box.greet")).toBe("Hello Ada of nowhere");
    await vi.waitFor(() => expect(processes()).toHaveLength(1));
    vi.unstubAllEnvs();
  });

  it("sends the headers of an address", async () => {
    await using server = await serveMcpOverHttp();
    const tools = connect({ box: { url: server.url, headers: { Authorization: "Bearer 42" } } });
    await arrived(tools, "box.add");
    expect(new Set(server.keys)).toEqual(new Set(["Bearer 42"]));
  });

  it.each(["valid", "invalid"])("Security: disconnects a server that sends %s messages without end", async (kind) => {
    const tools = connect({ box: stdio() });
    await arrived(tools, "box.flood");
    expect(await failure(run(tools, "box.flood", { kind }))).toMatchObject({ code: "mcp_unavailable" });
    await vi.waitFor(() => expect(logged.join()).toContain("it sent more than 10000 messages in 10 s"));
    await vi.waitFor(() => expect(processes().filter(isAlive).length).toBeLessThan(processes().length));
    await vi.waitFor(async () => expect(await run(tools, "box.add", { a: 1, b: 1 })).toEqual({ sum: 2 }), {
      timeout: 20_000,
      interval: 50,
    });
  });

  it("ends a process that heeds no SIGTERM when it is closed", async () => {
    const tools = connect({ box: stdio({ args: [SCRIPT, "stubborn"] }) });
    await arrived(tools, "box.add");
    await vi.waitFor(() => expect(processes()).toHaveLength(1));
    await tools.close();
    await vi.waitFor(() => expect(processes().filter(isAlive)).toEqual([]));
  });

  it("has ended a process that never answers when it is closed, a second one that follows the probe included", async () => {
    const folder = await mkdtemp(join(tmpdir(), "obelus-mcp-"));
    const pids = join(folder, "pids");
    const script =
      'process.on("SIGTERM", () => {}); fs.appendFileSync(process.argv[1], process.pid + "\\n"); setInterval(() => {}, 9999)';
    const tools = connect({ mute: { command: process.execPath, args: ["-e", script, pids] } });
    const begun = await vi.waitFor(
      async () => {
        const all = (await readFile(pids, "utf8")).trim().split("\n").map(Number);
        expect(all).toHaveLength(2);
        return all;
      },
      { timeout: 20_000, interval: 50 },
    );
    await tools.close();
    expect(begun.filter(isAlive)).toEqual([]);
    await rm(folder, { recursive: true });
  });
});

describe("MCP: servers of before 2026", () => {
  it("are asked the older way over stdio, and tell of new tools", async () => {
    const tools = connect({ box: stdio({ args: [SCRIPT, "older"] }) });
    expect(await run(tools, "box.add", { a: 1, b: 2 })).toEqual({ sum: 3 });
    await run(tools, "box.learn");
    await arrived(tools, "box.learnt");
  });

  it("are asked the older way over streamable HTTP, and known again after a restart", async () => {
    const first = await serveOlderMcpOverHttp();
    const tools = connect({ box: { url: first.url } });
    expect(await run(tools, "box.add", { a: 1, b: 2 })).toEqual({ sum: 3 });
    await run(tools, "box.learn");
    await arrived(tools, "box.learnt");
    await first[Symbol.asyncDispose]();
    await using _again = await serveOlderMcpOverHttp(first.port);
    // The new process does not know the old session: the call did not happen.
    expect(await failure(run(tools, "box.add", { a: 1, b: 2 }))).toMatchObject({ code: "mcp_unavailable" });
    await vi.waitFor(async () => expect(await run(tools, "box.add", { a: 1, b: 1 })).toEqual({ sum: 2 }), {
      timeout: 20_000,
      interval: 50,
    });
  });
});
