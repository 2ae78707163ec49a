import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll } from "vitest";

/** A request to a tool's server. */
export interface Asked {
  /** The last segment of the path: `/charge` is "charge". */
  path: string;
  /** The call with its parameters. Bodies are untyped: a missing field fails the test that reads it. */
  // Bodies are looked at field by field, and a field that is missing fails the test that reads it.
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  call: any;
  key: string;
}

/** A fake server for tools, which records all requests. */
export interface Outside {
  /** `127.0.0.1:41234`, for OBELUS_HTTP_TOOL_HOSTS. */
  readonly host: string;
  /** All requests, in order. */
  readonly asked: Asked[];
  /** Resolves with the next request. */
  next(): Promise<void>;
}

/** Starts such a server for the tests of a file; `answer` returns the response as JSON, with its status. */
export function withOutside(answer: (asked: Asked) => Promise<{ status?: number; body: unknown }>): Outside {
  const asked: Asked[] = [];
  const waiters: (() => void)[] = [];
  let host = "";
  const server = createServer(async (request, response) => {
    const { call } = JSON.parse(await text(request));
    const one = { path: request.url?.split("/").at(-1) ?? "", call, key: String(request.headers["idempotency-key"]) };
    asked.push(one);
    for (const wake of waiters.splice(0)) wake();
    const { status = 200, body } = await answer(one);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address() as AddressInfo;
    host = `127.0.0.1:${address.port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    get host() {
      return host;
    },
    asked,
    next: () => new Promise((resolve) => waiters.push(resolve)),
  };
}
