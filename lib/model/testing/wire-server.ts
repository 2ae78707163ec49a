import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";

/** A recorded response: a file of `wire/`, or its bytes. */
export interface WireAnswer {
  status?: number;
  headers?: Record<string, string>;
  body: string | Uint8Array;
  /** Bytes per write; all by default. */
  bytes?: number;
  /** Closes the connection after this many bytes. */
  cutAfter?: number;
}

/** A local server that replays recorded responses byte by byte. */
export interface WireServer {
  /** The base URL for the client, with `/v1`. */
  baseUrl: string;
  /** The number of requests received. */
  readonly asked: number;
  queue(...answers: WireAnswer[]): void;
  close(): Promise<void>;
}

/** Starts it on a free port of localhost. If the queue is empty, it repeats the last response. */
export async function startWireServer(): Promise<WireServer> {
  const answers: WireAnswer[] = [];
  let asked = 0;
  let newest: WireAnswer = { status: 500, body: "", headers: { "x-should-retry": "false" } };
  const server = createServer((request, response) => {
    request.resume();
    asked += 1;
    newest = answers.shift() ?? newest;
    void send(response, newest);
  });
  server.on("connection", (socket) => socket.setNoDelay());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server listens on no port");
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    get asked() {
      return asked;
    },
    queue: (...more) => void answers.push(...more),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function send(response: ServerResponse, { status = 200, headers, body, bytes, cutAfter }: WireAnswer) {
  const type = status === 200 ? "text/event-stream; charset=utf-8" : "application/json";
  response.writeHead(status, { "content-type": type, ...headers });
  const whole = Buffer.from(body);
  const sent = whole.subarray(0, cutAfter ?? whole.length);
  const size = bytes ?? sent.length;
  for (let at = 0; at < sent.length && !response.destroyed; at += size) {
    await new Promise((resolve) => response.write(sent.subarray(at, at + size), resolve));
    // The client gets each part before the next one is written.
    if (bytes !== undefined) await new Promise((resolve) => setImmediate(resolve));
  }
  if (cutAfter === undefined) response.end();
  else response.destroy();
}

/** A recorded response. */
export function recorded(name: string): Promise<string> {
  return readFile(new URL(`./wire/${name}`, import.meta.url), "utf8");
}
