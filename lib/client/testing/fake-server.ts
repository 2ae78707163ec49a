import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import { z } from "zod";

const sentEvents = z.array(
  z.looseObject({ id: z.string(), conversation_id: z.string(), type: z.string(), payload: z.unknown() }),
);

export type SentEvent = z.infer<typeof sentEvents>[number];

/** A response of the fake server: success, something else, or none. */
export type Says =
  | "stored"
  | "hang"
  | "cut"
  | { status: number; headers?: Record<string, string>; body?: object | string };

/** A fake server on localhost with a response for the n-th request. */
export async function fakeServer(says: (request: number, events: SentEvent[]) => Says) {
  const requests: SentEvent[][] = [];
  const encodings: string[] = [];
  const stored: SentEvent[] = [];
  const seen = new Set<string>();
  const server = createServer(async (request, response) => {
    const encoding = request.headers["content-encoding"] ?? "";
    encodings.push(encoding);
    const events = sentEvents.parse(await json(encoding === "gzip" ? request.pipe(createGunzip()) : request));
    requests.push(events);
    const said = says(requests.length, events);
    if (said === "stored") {
      stored.push(...events.filter(({ id }) => !seen.has(id)));
      for (const { id } of events) seen.add(id);
    }
    answer(response, said, events);
    server.emit("asked");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The stand-in has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    /** Of each request; "" for none. */
    encodings,
    stored,
    /** Resolves when it has received this many requests. */
    async asked(count: number): Promise<void> {
      while (requests.length < count) await once(server, "asked");
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function answer(response: ServerResponse, said: Says, events: SentEvent[]): void {
  if (said === "hang") return;
  if (said === "cut") {
    response.destroy();
    return;
  }
  const {
    status,
    headers = {},
    body,
  } = said === "stored" ? { status: 201, body: { events: events.map(({ id }) => ({ id })) } } : said;
  response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body ?? {}));
}

/** An error response of the API. */
export function refusal(status: number, errors?: { path: string; message: string }[]): Says {
  return { status, body: { type: "urn:obelus:problem:invalid_input", status, detail: "It does not hold.", errors } };
}
