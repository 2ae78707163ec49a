import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** Tools whose calls must not happen twice. */
export const ONCE = ["pay", "charge"] as const;

/** A server of tools that counts what they bring about. */
export interface ToolsServer {
  host: string;
  /** How often each call was made, by tool and idempotency key. */
  calls: Map<string, number>;
  /** The definitions for a plan's request. */
  tools: object[];
  close(): void;
}

export async function startToolsServer(): Promise<ToolsServer> {
  const calls = new Map<string, number>();
  const server = createServer(async (request, response) => {
    await text(request);
    const call = `${request.url?.slice(1).split("?")[0]} ${request.headers["idempotency-key"]}`;
    calls.set(call, (calls.get(call) ?? 0) + 1);
    await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 400));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ ok: true }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const tool = (name: string, activity: object, more: object = {}) => ({
    name,
    schema: { type: "object" },
    activity: { type: "http", url: `http://${host}/${name}`, timeout_ms: 10_000, ...activity },
    ...more,
  });
  return {
    host,
    calls,
    tools: [
      tool("pay", { idempotent: false, retries: 0 }),
      tool("charge", { idempotent: false, retries: 0 }, { requires_confirmation: true }),
      tool("store", { idempotent: true, method: "PUT", retries: 2 }),
    ],
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
