import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { createMcpHandler, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { listen } from "./loopback.ts";
import { makeMcpServer } from "./mcp-tools.ts";

/** An MCP server over streamable HTTP. */
export interface McpHttpServer extends AsyncDisposable {
  url: string;
  port: number;
  /** The `Authorization` of each request. */
  keys: (string | undefined)[];
  /** Adds a tool and tells those who listen. */
  learn(): void;
}

/** Serves on a port, by default a free one. */
export async function serveMcpOverHttp(port = 0): Promise<McpHttpServer> {
  let more = false;
  const handler = createMcpHandler(() => makeMcpServer(more));
  const served = await serve(port, handler.fetch);
  return {
    ...served,
    learn() {
      more = true;
      handler.notify.toolsChanged();
    },
  };
}

/** Serves one client as servers of before 2026 do: with a session, which ends with the server. */
export async function serveOlderMcpOverHttp(port = 0): Promise<Omit<McpHttpServer, "learn">> {
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
  await makeMcpServer().connect(transport);
  return serve(port, (request) => transport.handleRequest(request));
}

async function serve(
  port: number,
  fetch: (request: Request) => Promise<Response>,
): Promise<Omit<McpHttpServer, "learn">> {
  const keys: (string | undefined)[] = [];
  const server = createServer(async (request, response) => {
    keys.push(request.headers.authorization);
    await answer(request, response, fetch);
  });
  const taken = await listen(server, port);
  return {
    url: `http://127.0.0.1:${taken}/mcp`,
    port: taken,
    keys,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  serve: (request: Request) => Promise<Response>,
): Promise<void> {
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const { status, headers, body } = await serve(
    new Request(`http://127.0.0.1${request.url}`, {
      method: request.method ?? "GET",
      headers: Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]),
      signal: gone.signal,
      ...(request.method === "POST" && { body: Buffer.concat(await request.toArray()) }),
    }),
  );
  response.writeHead(status, [...headers].flat());
  if (!body) return void response.end();
  // The client may leave before the stream ends.
  await pipeline(body.values(), response).catch(() => response.destroy());
}
