import type { McpTools } from "./servers.ts";

/** Without configured servers. */
export const NO_MCP: McpTools = { list: () => [], find: () => undefined, close: async () => undefined };
