import { Client, type Tool } from "@modelcontextprotocol/client";
import type { McpServer } from "./config.ts";
import { type Outside, watchForFlood, wayTo } from "./transport.ts";

/** How long a server may take for each answer while connecting. */
const CONNECT_MS = 30_000;
/** A server of before 2026 may leave the first question unanswered; it is asked the older way then. */
const PROBE_MS = 5_000;

/** One connection to a server, from its opening to its loss. */
export interface Session {
  client: Client;
  /** Resolves with the reason when the connection is of no use any more. */
  lost: Promise<string>;
  /** Gives the connection up. */
  lose(reason: string): void;
  leave(): Promise<void>;
}

export interface SessionOptions extends Outside {
  /** Is given the server's tools at first, and whenever they have changed. */
  onTools(tools: readonly Tool[]): void;
  /** Ends the connection, also while it is being opened. */
  signal: AbortSignal;
}

/** Connects to a server and asks for its tools. Throws what went wrong, with nothing left behind. */
export async function openSession(
  name: string,
  server: McpServer,
  { onTools, openEgress, logger, signal }: SessionOptions,
): Promise<Session> {
  const lost = Promise.withResolvers<string>();
  const client = new Client(
    { name: "obelus", version: "1" },
    {
      versionNegotiation: { mode: "auto", probe: { timeoutMs: PROBE_MS } },
      listChanged: {
        tools: { onChanged: (error, tools) => (tools ? onTools(tools) : lost.resolve(error?.message ?? "no tools")) },
      },
    },
  );
  client.onclose = () => lost.resolve("it closed the connection");
  client.onerror = (error) => logger.debug({ mcp: name, err: error }, "Error of an MCP server or its connection");
  const way = wayTo(name, server, { openEgress, logger });
  watchForFlood(way.transport, (reason) => {
    lost.resolve(reason);
    void way.abort();
  });
  signal.addEventListener("abort", way.leave);
  const leave = async () => {
    signal.removeEventListener("abort", way.leave);
    await way.leave();
  };
  try {
    signal.throwIfAborted();
    await client.connect(way.transport, { timeout: CONNECT_MS, signal });
    onTools((await client.listTools({}, { timeout: CONNECT_MS, signal })).tools);
  } catch (error) {
    await leave();
    throw error;
  }
  void client.autoOpenedSubscription?.closed.then(() => lost.resolve("it ended the subscription to its tools"));
  return { client, lost: lost.promise, lose: lost.resolve, leave };
}
