import type { ApiHeaders } from "../api/api-request.ts";
import type { Services } from "../server/services.ts";
import type { Json } from "../session/json/json.ts";

/** A message of the Model Context Protocol, as it came over HTTP. */
interface McpMessage {
  headers: ApiHeaders;
  body: Json;
  /** Aborts when the client goes away or the server stops. */
  signal: AbortSignal;
}

/** The server of the Model Context Protocol: what assistants may ask. */
export interface Mcp {
  /** Answers one message. Nothing is kept between two of them. */
  answer(message: McpMessage): Promise<Response>;
}

/** Makes the server. The protocol's own code is loaded when somebody first asks, so that a start need not wait for it. */
export function createMcp(services: () => Services): Mcp {
  let loading: Promise<Mcp> | null = null;
  return {
    async answer(message) {
      loading ??= import("./handler.ts").then(({ createHandler }) => createHandler(services()));
      return (await loading).answer(message);
    },
  };
}
