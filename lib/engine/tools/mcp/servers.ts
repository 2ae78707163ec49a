import type { Tool } from "@modelcontextprotocol/client";
import type { OpenEgress } from "../../../outgoing/egress.ts";
import type { SchemaChecker } from "../../../plan/schema/schema-checker.ts";
import { ActivityError } from "../activity.ts";
import { nextAnswer } from "../answer-turns.ts";
import { schemaFaults } from "../tool-check.ts";
import type { Handler, RegisteredTool } from "../tools.ts";
import type { McpServer } from "./config.ts";
import { connectMcp, type McpConnection } from "./connection.ts";
import { type McpTool, readMcpResult, readMcpTool } from "./tool.ts";

/** Tries after the first one, where trying again is safe. */
const RETRIES = 2;

/** Pino's logger fits. */
export interface McpLogger {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** The tools of MCP servers, called `server.tool`. */
export interface McpTools {
  /** Those of all servers that have been there. */
  list(): RegisteredTool[];
  /**
   * A tool by its name. A server that has not been there since the start may have any tool: its calls fail, or wait for
   * a person, until it is.
   */
  find(name: string): RegisteredTool | undefined;
  /** Ends all connections and processes. */
  close(): Promise<void>;
}

/** A server with the tools that it listed last; null before it has been there. */
interface Member {
  server: McpServer;
  connection: McpConnection;
  tools: Map<string, RegisteredTool> | null;
}

/** Connects to MCP servers in the background: nobody waits for them, and none of them can keep the server from starting. */
export function connectMcpServers(
  servers: ReadonlyMap<string, McpServer>,
  { checker, openEgress, logger }: { checker: SchemaChecker; openEgress: OpenEgress; logger: McpLogger },
): McpTools {
  const members = new Map([...servers].map(([name, server]) => [name, join(name, server)]));

  function join(name: string, server: McpServer): Member {
    const onTools = (tools: readonly Tool[]) => {
      const read = tools.flatMap((tool) => readTool(tool) ?? []).filter(({ name }) => isTaken(server, name));
      const registered = read.flatMap((tool) => register(name, member, tool) ?? []);
      member.tools = new Map(registered.map((tool) => [tool.name, tool]));
      const named = typeof server.approvals === "object" ? Object.keys(server.approvals) : [];
      const missing = named.filter((tool) => !member.tools?.has(`${name}.${tool}`));
      if (missing.length > 0) logger.warn({ server: name, missing }, MISSING_TOOLS);
    };
    const member: Member = {
      server,
      tools: null,
      connection: connectMcp(name, server, { onTools, openEgress, logger }),
    };
    return member;
  }

  function readTool(tool: Tool): McpTool | null {
    try {
      return readMcpTool(tool);
    } catch (error) {
      if (!(error instanceof ActivityError)) throw error;
      logger.warn({ tool: tool.name, reason: error.message }, "Skipped an invalid tool of an MCP server");
      return null;
    }
  }

  function register(serverName: string, { server, connection }: Member, tool: McpTool): RegisteredTool | null {
    const registered = {
      name: `${serverName}.${tool.name}`,
      description: tool.description,
      schema: tool.schema,
      has_activity: true,
      ...approvalOf(server, tool.name, tool.destructive),
      effect: tool.reads ? ("read" as const) : ("change" as const),
      guard: null,
      handler: handlerOf(connection, server, tool),
    };
    const [fault] = schemaFaults(registered, checker);
    if (!fault) return registered;
    logger.warn({ tool: registered.name, ...fault }, "Skipped an invalid tool of an MCP server");
    return null;
  }

  return {
    list: () => [...members.values()].flatMap(({ tools }) => [...(tools?.values() ?? [])]),
    find(name) {
      const dot = name.indexOf(".");
      const member = members.get(name.slice(0, dot));
      if (!member) return undefined;
      return member.tools ? member.tools.get(name) : expected(name, name.slice(dot + 1), member);
    },
    async close() {
      await Promise.all([...members.values()].map(({ connection }) => connection.close()));
    },
  };
}

const MISSING_TOOLS = "The approvals of an MCP server name tools that it does not have";

/** Whether calls of a tool require approval, and of how many people: of several it is required, whatever else the file says. */
function approvalOf({ requires_confirmation, approvals = {} }: McpServer, tool: string, isRisky: boolean) {
  const needed =
    typeof approvals === "number" ? approvals : Object.hasOwn(approvals, tool) ? (approvals[tool] ?? 1) : 1;
  if (needed === 1) return { requires_confirmation: requires_confirmation ?? isRisky };
  return { requires_confirmation: true, approvals: needed };
}

function isTaken({ tools }: McpServer, name: string): boolean {
  return tools?.includes(name) ?? true;
}

function handlerOf(
  connection: McpConnection,
  { timeout_ms }: McpServer,
  { name, idempotent }: Pick<McpTool, "name" | "idempotent">,
): Handler {
  return {
    activity: async (params, _scopes, call) => {
      const result = await connection.call(name, params, call);
      await nextAnswer();
      return readMcpResult(result);
    },
    idempotent,
    timeout_ms,
    retries: RETRIES,
  };
}

const ANY_PARAMETERS = { type: "object" };

/** Stands for a tool that its server has not told of yet, and takes it for a dangerous one. */
function expected(name: string, tool: string, { server, connection }: Member): RegisteredTool | undefined {
  if (!isTaken(server, tool)) return undefined;
  return {
    name,
    description: "",
    schema: ANY_PARAMETERS,
    has_activity: true,
    ...approvalOf(server, tool, true),
    effect: "change",
    guard: null,
    handler: handlerOf(connection, server, { name: tool, idempotent: false }),
  };
}
