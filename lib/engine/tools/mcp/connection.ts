import { setTimeout as delay } from "node:timers/promises";
import type { CallToolResult } from "@modelcontextprotocol/client";
import { orAborted } from "../../../event-loop/or-aborted.ts";
import type { JsonObject } from "../../../session/json/json.ts";
import { type ActivityCall, ActivityError } from "../activity.ts";
import type { McpServer } from "./config.ts";
import { mcpFailure, reasonOf, UNAVAILABLE } from "./failure.ts";
import { openSession, type Session, type SessionOptions } from "./session.ts";

/** Waits before connecting again: the first one, doubled each time up to the longest. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 60_000;

/** A server that is connected, or tried again and again. */
export interface McpConnection {
  /**
   * Calls a tool; while the server is being connected, it waits for that. Throws an `ActivityError`, or the signal's
   * reason when it is aborted.
   */
  call(tool: string, params: JsonObject, call: Pick<ActivityCall, "signal" | "report">): Promise<CallToolResult>;
  /** Ends the connection, and the process if there is one; within two seconds. */
  close(): Promise<void>;
}

/** Connects to a server in the background, and again whenever the connection is lost. */
export function connectMcp(name: string, server: McpServer, options: Omit<SessionOptions, "signal">): McpConnection {
  const stop = new AbortController();
  const stopped = new Promise((resolve) => stop.signal.addEventListener("abort", resolve));
  let session: Session | null = null;
  let reason = "not connected yet";
  let opening: Promise<void> = Promise.resolve();
  const kept = keepConnected();

  async function keepConnected(): Promise<void> {
    let wait = FIRST_WAIT_MS;
    while (!stop.signal.aborted) {
      opening = open();
      await opening;
      const since = performance.now();
      if (session) {
        reason = await session.lost;
        const { leave }: Session = session;
        session = null;
        await leave();
      }
      if (stop.signal.aborted) return;
      options.logger.warn({ mcp: name, reason }, "MCP server disconnected");
      // One that falls over right after its start is not started twice a second for ever.
      if (performance.now() - since > LONGEST_WAIT_MS) wait = FIRST_WAIT_MS;
      await Promise.race([delay(wait, undefined, { ref: false }), stopped]);
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    }
  }

  async function open(): Promise<void> {
    try {
      session = await openSession(name, server, { ...options, signal: stop.signal });
      options.logger.info({ mcp: name }, "MCP server connected");
    } catch (error) {
      reason = reasonOf(error);
    }
  }

  return {
    async call(tool, params, { signal, report }) {
      await orAborted(opening, signal);
      if (!session) {
        const message = `The MCP server ${name} is not connected: ${reason}`;
        throw new ActivityError(UNAVAILABLE, message, { did_not_happen: true });
      }
      const { client, lose }: Session = session;
      try {
        return await client.callTool(
          { name: tool, arguments: params },
          {
            signal,
            timeout: server.timeout_ms,
            // Without a total, the count says nothing of how much is left.
            onprogress: ({ progress, total, message }) =>
              report({ part: total === undefined ? undefined : progress / total, message }),
          },
        );
      } catch (error) {
        const failure = mcpFailure(name, error, signal);
        if (failure.code === UNAVAILABLE) lose(reasonOf(error));
        throw failure;
      }
    },
    async close() {
      stop.abort();
      await kept;
    },
  };
}
