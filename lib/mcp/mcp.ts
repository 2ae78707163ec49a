import type { ApiHeaders } from "../api/request/api-request.ts";
import type { Services } from "../server/services.ts";
import type { Json } from "../session/json/json.ts";

/** An MCP message over HTTP. */
interface McpMessage {
  headers: ApiHeaders;
  body: Json;
  /** Aborts when the client disconnects or the server stops. */
  signal: AbortSignal;
}

/** The MCP server for assistants. */
export interface Mcp {
  /** Handles a message. Stateless. */
  answer(message: McpMessage): Promise<Response>;
}

/** Creates the server. The SDK is loaded with the first message, so that it does not delay the start. */
export function createMcp(services: () => Services): Mcp {
  let loading: Promise<Mcp> | null = null;
  return {
    async answer(message) {
      loading ??= import("./handler.ts").then(({ createHandler }) => createHandler(services()));
      return (await loading).answer(message);
    },
  };
}
