import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll } from "vitest";

/** What a tool's server was asked to do. */
export interface Asked {
  /** The last part of the address: `/charge` is "charge". */
  path: string;
  /** The call with its parameters. */
  // Bodies are looked at field by field, and a field that is missing fails the test that reads it.
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  call: any;
  key: string;
}

/** The outside world of a plan: an HTTP server that does what calls ask for and remembers each time. */
export interface Outside {
  /** `127.0.0.1:41234`, as OBELUS_HTTP_TOOL_HOSTS takes it. */
  readonly host: string;
  /** Everything that was asked, in order. */
  readonly asked: Asked[];
  /** Resolves when the next request has come in. */
  next(): Promise<void>;
}

/** Starts such a server for the tests of a file; `answer` gives what a call brings, as JSON, with its status. */
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
