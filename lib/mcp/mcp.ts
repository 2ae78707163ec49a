import type { McpServer } from "@modelcontextprotocol/server";
import type { Services } from "../server/services.ts";
import type { Json } from "../session/json.ts";
import { createDesk, type Desk } from "./desk.ts";
import { addListTools } from "./list-tools.ts";
import { addResources } from "./resources.ts";
import { addSessionTools } from "./session-tools.ts";
import { addViewTool } from "./view-tool.ts";

/** A message of the Model Context Protocol, as it came over HTTP. */
export interface McpMessage {
  headers: Headers;
  body: Json;
  /** Aborts when the client goes away or the server stops. */
  signal: AbortSignal;
}

/** The server of the Model Context Protocol: what assistants may ask. */
export interface Mcp {
  /** Answers one message. Nothing is kept between two of them, so that any process can answer the next. */
  answer(message: McpMessage): Promise<Response>;
}

const INSTRUCTIONS =
  "Obelus records what AI agents do. A conversation is a session of numbered steps (seq): messages, runs, plans of tool calls wired through paths of a shared state (†state.…), and confirmations that wait for a person. Find one with list_conversations or search, read it with get_conversation, see how it stood at a step with get_view, and follow it step by step with get_events. All tools only read.";

/** Makes the server. The protocol's own code is loaded when somebody first asks, so that a start need not wait for it. */
export function createMcp(services: () => Services): Mcp {
  let loading: Promise<(message: McpMessage) => Promise<Response>> | null = null;
  return {
    async answer(message) {
      loading ??= load(services);
      return (await loading)(message);
    },
  };
}

async function load(services: () => Services): Promise<(message: McpMessage) => Promise<Response>> {
  const { createMcpHandler, McpServer, ResourceTemplate } = await import("@modelcontextprotocol/server");
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const desk = createDesk(services(), requestInfo ? new URL(requestInfo.url).origin : "");
      const server = new McpServer({ name: "obelus", version: "1" }, { instructions: INSTRUCTIONS });
      addReadingTools(server, desk);
      addResources(server, desk, ResourceTemplate);
      return server;
    },
    { onerror: (error) => services().logger.debug({ err: error }, "An MCP client made a mistake") },
  );
  return ({ headers, body, signal }) => {
    const url = new URL("/api/mcp", `http://${headers.get("host")}`);
    return handler.fetch(new Request(url, { method: "POST", headers, signal }), { parsedBody: body });
  };
}

/**
 * What everybody is offered who may read. A server is made for each message, so this is where a caller's rights decide
 * what is offered: a tool that changes something is added only for one who may do that.
 */
function addReadingTools(server: McpServer, desk: Desk): void {
  addListTools(server, desk);
  addSessionTools(server, desk);
  addViewTool(server, desk);
}
