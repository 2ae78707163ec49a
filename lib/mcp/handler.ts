import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { REQUESTER_HEADER } from "../api/requester.ts";
import type { Services } from "../server/services.ts";
import { createDesk, type Desk } from "./desk.ts";
import { addListTools } from "./list-tools.ts";
import type { Mcp } from "./mcp.ts";
import { addResources } from "./resources.ts";
import { addSessionTools } from "./session-tools.ts";
import { addViewTool } from "./view-tool.ts";

const INSTRUCTIONS =
  "Obelus records what AI agents do. A conversation is a session of numbered steps (seq): messages, runs, plans of tool calls wired through paths of a shared state (†state.…), and confirmations that wait for a person. Find one with list_conversations or search, read it with get_conversation, see how it stood at a step with get_view, and follow it step by step with get_events. All tools only read.";

/** Makes what answers messages of the protocol, in its revisions of 2025 and 2026, without sessions. */
export function createHandler(services: Services): Mcp {
  const { logger } = services;
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const origin = requestInfo ? new URL(requestInfo.url).origin : "";
      return makeServer(createDesk(services, origin, requestInfo?.headers.get(REQUESTER_HEADER) ?? null));
    },
    { onerror: (error) => logger.debug({ err: error }, "An MCP client or its connection made a mistake") },
  );
  return {
    answer({ headers, body, signal }) {
      const address = new URL("/api/mcp", `http://${headers.get("host")}`);
      return handler.fetch(new Request(address, { method: "POST", headers, signal }), { parsedBody: body });
    },
  };
}

/**
 * What a caller is offered. A server is made for each message, so this is where a caller's rights decide: a tool that
 * changes something is to be added here, and only for one who may do that. Those there are read.
 */
function makeServer(desk: Desk): McpServer {
  const server = new McpServer({ name: "obelus", title: "Obelus", version: "1" }, { instructions: INSTRUCTIONS });
  addListTools(server, desk);
  addSessionTools(server, desk);
  addViewTool(server, desk);
  addResources(server, desk);
  return server;
}
