import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { Server } from "node:net";

/** A request as it arrived. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A server of the outside world, on a port of its own. */
export interface Loopback extends AsyncDisposable {
  /** `http://127.0.0.1:41234` */
  url: string;
  host: string;
  received: Received[];
}

/** Answers each request as `answer` does, once the whole of it has arrived. */
export async function loopback(
  answer: (response: ServerResponse, request: Received) => void | Promise<void>,
): Promise<Loopback> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const arrived = await receive(request);
    received.push(arrived);
    await answer(response, arrived);
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Listens on a port, by default a free one, and tells which. */
export async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address === "object" && address) return address.port;
  throw new Error("The server listens on no port");
}

/** Answers JSON. */
export function json(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
}

async function receive(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { method = "", url = "", headers } = request;
  return { method, path: url, headers, body: Buffer.concat(chunks).toString("utf8") };
}
