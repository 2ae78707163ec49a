import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** A tool's response: JSON with 200, or a failure. */
type Answer = { status: number; body: unknown };

/** An HTTP server with tools whose responses the test controls. */
export interface ToolServer {
  /** The tools of a plan's request, each with an HTTP activity here. */
  definition(name: string, options?: { requires_confirmation?: boolean }): object;
  /** Sets a tool's response; `{}` by default. */
  answer(name: string, answer: Answer): void;
  /** Delays a tool's responses until the returned function is called. */
  hold(name: string): () => void;
  /** The parameters of a tool's calls so far. */
  calls(name: string): Record<string, unknown>[];
  close(): Promise<void>;
}

export async function startTools(): Promise<ToolServer> {
  const answers = new Map<string, Answer>();
  const gates = new Map<string, Promise<void>>();
  const seen: { name: string; params: Record<string, unknown> }[] = [];
  const server = createServer(async (request, response) => {
    const name = decodeURIComponent(request.url?.slice(1) ?? "");
    const { call } = (await json(request)) as { call: Record<string, unknown> };
    seen.push({ name, params: Object.fromEntries(Object.entries(call).filter(([key]) => !key.startsWith("_"))) });
    await gates.get(name);
    send(response, answers.get(name) ?? { status: 200, body: {} });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    definition: (name, options = {}) => ({
      name,
      schema: { type: "object" },
      activity: { type: "http", url: `http://127.0.0.1:${port}/${encodeURIComponent(name)}`, retries: 0 },
      ...options,
    }),
    answer: (name, answer) => void answers.set(name, answer),
    hold(name) {
      const gate = Promise.withResolvers<void>();
      gates.set(name, gate.promise);
      return gate.resolve;
    },
    calls: (name) => seen.filter((call) => call.name === name).map(({ params }) => params),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
