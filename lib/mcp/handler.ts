import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { type Caller, may } from "../access/caller.ts";
import type { ApiHeaders } from "../api/request/api-request.ts";
import { requesterOf } from "../api/request/requester.ts";
import type { Services } from "../server/services.ts";
import { type ApiInvoker, createApiInvoker } from "./api-invoker.ts";
import { addDecisionTool } from "./decision-tool.ts";
import { addListTools } from "./list-tools.ts";
import type { Mcp } from "./mcp.ts";
import { addResources } from "./resources.ts";
import { addSessionTools } from "./session-tools.ts";
import { addViewTool } from "./view-tool.ts";

const INSTRUCTIONS =
  "Obelus records what AI agents do. A conversation is a session of numbered steps (seq): messages, runs, plans of tool calls wired through paths of a shared state (†state.…), and confirmations that wait for a person. Find one with list_conversations or search, read it with get_conversation, see how it stood at a step with get_view, and follow it step by step with get_events.";

const ONLY_READ = "All tools only read.";

const MAY_DECIDE =
  "All tools only read but one: decide_confirmation approves or denies what waits for a person, who has to have told you so.";

/** Creates the handler of MCP messages, in the 2025 and 2026 revisions, stateless. */
export function createHandler(services: Services): Mcp {
  const { logger } = services;
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      if (!requestInfo) throw new Error("A message of MCP came without its request");
      const requester = requesterOf(requestInfo.headers);
      const origin = services.config.access.publicUrl ?? new URL(requestInfo.url).origin;
      return makeServer(createApiInvoker(services, origin, requester), requester.caller);
    },
    { onerror: (error) => logger.debug({ err: error }, "Error of an MCP client or its connection") },
  );
  return {
    answer({ headers, body, signal }) {
      const address = new URL("/api/mcp", `${protocolOf(headers)}://${headers.get("host")}`);
      return handler.fetch(new Request(address, { method: "POST", headers: [...headers], signal }), {
        parsedBody: body,
      });
    },
  };
}

/** As the client sees this server; a client that sends a false header gets links that do not work. */
function protocolOf(headers: ApiHeaders): "http" | "https" {
  const [first] = (headers.get("x-forwarded-proto") ?? "").split(",");
  return first?.trim() === "https" ? "https" : "http";
}

/**
 * The tools of a caller. A server is created per message, so the caller's permissions decide here: a tool with effects
 * may only be added for a key with the scope for it. All others only read.
 */
function makeServer(api: ApiInvoker, caller: Caller): McpServer {
  const decides = caller.kind === "key" && may(caller, "decide");
  const instructions = `${INSTRUCTIONS} ${decides ? MAY_DECIDE : ONLY_READ}`;
  const server = new McpServer({ name: "obelus", title: "Obelus", version: "1" }, { instructions });
  addListTools(server, api);
  addSessionTools(server, api);
  addViewTool(server, api);
  addResources(server, api);
  if (decides) addDecisionTool(server, api);
  return server;
}
