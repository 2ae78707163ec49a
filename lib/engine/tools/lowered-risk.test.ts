import { describe, expect, it } from "vitest";
import type { Effect } from "../../memory/actions/happening.ts";
import { createEgressPolicy } from "../../outgoing/egress.ts";
import type { JsonObject } from "../../session/json/json.ts";
import { createSchemaChecker } from "../json-schema.ts";
import { amounts } from "../testing/remembering.ts";
import { allowHosts } from "./http/allowed-hosts.ts";
import { NO_MCP } from "./mcp/no-servers.ts";
import { createSealing } from "./sealing.ts";
import { type ToolDefinition, toolDefinition } from "./tool-definition.ts";
import { createToolRegistry } from "./tool-registry.ts";
import type { BuiltInTool, Handler, RegisteredTool } from "./tools.ts";
import { Toolset } from "./toolset.ts";

const handler: Handler = { activity: async () => null, idempotent: true, timeout_ms: 1_000, retries: 0 };
const schema = { type: "object" };
const builtIn: BuiltInTool[] = [
  {
    ...{ name: "crm.deal.update", description: "Changes a deal", schema, effect: "change", guard: amounts },
    ...{ requires_confirmation: false, handler },
  },
];
const delegates = { list: () => [], find: () => undefined, register: () => Promise.reject(new Error("none")) };

function registry(mcp = NO_MCP) {
  return createToolRegistry({
    ...{ activities: new Map(), builtIn, mcp },
    definitions: { load: async () => [], save: async () => undefined },
    http: {
      refuse: allowHosts(["127.0.0.1"]),
      way: createEgressPolicy([])({ hosts: ["127.0.0.1"] }),
      sealing: createSealing(new Uint8Array(32)),
    },
    checker: createSchemaChecker(),
  });
}

/** A definition that says it does no harm. */
function harmless(more: JsonObject = {}): ToolDefinition {
  const activity = { type: "http", url: "http://127.0.0.1/deal" };
  return toolDefinition.parse({ name: "crm.deal.update", schema, activity, effect: "read", ...more });
}

/** What is known of the risk of a tool. */
function riskOf(tool: Pick<RegisteredTool, "guard" | "effect"> | undefined): [string | null | undefined, Effect?] {
  return [tool?.guard?.risk({ id: 1, amount: 5 }), tool?.effect];
}

describe("P2a, M13: what is laid over a tool that knows its risk never lowers it", () => {
  it("an HTTP tool that is registered under its name", async () => {
    const tools = await registry();
    const registered = await tools.register(harmless(), null);
    expect(registered.http?.url).toBe("http://127.0.0.1/deal");
    for (const tool of [registered, tools.find("crm.deal.update"), ...tools.list()])
      expect(riskOf(tool)).toEqual(["amount", "change"]);
  });

  it("a tool of an MCP server", async () => {
    const theirs = { ...harmless(), has_activity: true, handler, effect: "read" as const, guard: null };
    const tools = await registry({ ...NO_MCP, list: () => [theirs], find: () => theirs });
    expect(tools.find("crm.deal.update")?.source).toBe("mcp");
    expect(riskOf(tools.find("crm.deal.update"))).toEqual(["amount", "change"]);
  });

  it("the definition of a single run", async () => {
    const tools = Toolset.of(await registry(), delegates, [harmless(), harmless({ requires_confirmation: true })]);
    expect(riskOf(tools.tool("crm.deal.update"))).toEqual(["amount", "change"]);
  });

  it("the definition of a single run, over what was registered", async () => {
    const tools = await registry();
    await tools.register(harmless({ name: "send", effect: "create" }), null);
    const own = Toolset.of(tools, delegates, [harmless({ name: "send", effect: "read" })]);
    expect(own.tool("send")?.effect).toBe("create");
  });

  it("a tool of another name whose calls it carries out", async () => {
    const tools = await registry();
    const prescribed = { type: "object", properties: { _activity: { const: "crm.deal.update" } } };
    const borrowing = tools.make(toolDefinition.parse({ name: "note", schema: prescribed, effect: "read" }));
    expect(riskOf(borrowing)).toEqual(["amount", "change"]);
  });
});
