import type { IncomingMessage, ServerResponse } from "node:http";
import { postEvents } from "../api/operations/post-events.ts";
import { postMessages } from "../api/operations/post-messages.ts";
import { postTraces } from "../api/operations/post-traces.ts";
import { type Handler, route } from "../api/route.ts";
import { services } from "./services.ts";

/** What agents send all the time: the framework's way to it costs four times its own work. */
const HANDLERS = new Map(
  [postEvents, postMessages, postTraces].map((operation) => [operation.path, route(services, operation)]),
);

/**
 * Answers a request by the same handler as its route file, without the page framework between; null where it is none of
 * those that are asked so often.
 */
export function answerDirectly(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> | null {
  const handler = request.method === "POST" ? HANDLERS.get(path) : undefined;
  return handler ? send(handler, request, response) : null;
}

async function send(handler: Handler, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  const answer = await handler(asked(request, gone.signal), { params: Promise.resolve({}) });
  if (response.destroyed) return;
  const body = Buffer.from(await answer.arrayBuffer());
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), "content-length": body.length }).end(body);
}

/** The request as a route's handler takes it; its body is read as the handler reads it. */
function asked(request: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value);
  const init = { method: "POST", headers, body: bodyOf(request), signal, duplex: "half" };
  return new Request(`http://obelus.invalid${request.url ?? "/"}`, init);
}

/** Nothing of a body is read before it is wanted. */
function bodyOf(request: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = request[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}
