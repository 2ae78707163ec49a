import type { IncomingMessage, ServerResponse } from "node:http";
import { textOf } from "../../api/answers/answer.ts";
import type { ApiHeaders, ApiRequest } from "../../api/api-request.ts";
import { postMessages } from "../../api/operations/conversations/post-messages.ts";
import { postEvents } from "../../api/operations/post-events.ts";
import { postLogs, postTraces } from "../../api/operations/post-otlp.ts";
import { streamEvents } from "../../api/operations/sessions/stream-events.ts";
import { type Handler, route } from "../../api/route.ts";
import { services } from "../services.ts";

/**
 * The most frequent requests of agents, and the stream that hundreds read: for a POST the framework costs four times
 * the work itself, and its streaming more than the reading.
 */
const HANDLERS = new Map(
  [postEvents, postMessages, postTraces, postLogs, streamEvents].map((operation) => [
    `${operation.method} ${operation.path}`,
    route(services, operation),
  ]),
);

/**
 * Handles a request with the same handler as its route file, bypassing Next; null if its path is not one of the
 * frequent ones.
 */
export function answerDirectly(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> | null {
  const handler = HANDLERS.get(`${request.method} ${path}`);
  return handler ? send(handler, request, response) : null;
}

async function send(handler: Handler, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const answer = await handler(new DirectRequest(request, response), NO_PARAMS);
  if (response.destroyed) return answer.body?.cancel();
  const headers = Object.fromEntries(answer.headers);
  if (answer.body && headers["content-type"] === "text/event-stream") {
    response.writeHead(answer.status, headers);
    return sendStream(answer.body.getReader(), response);
  }
  const body = textOf(answer) ?? Buffer.from(await answer.arrayBuffer());
  response.writeHead(answer.status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
}

/** Backpressure: the next chunk is requested when the previous one has been sent. */
async function sendStream(body: ReadableStreamDefaultReader<Uint8Array>, response: ServerResponse): Promise<void> {
  for (;;) {
    const { done, value } = await body.read();
    if (response.destroyed) return body.cancel();
    if (done) break;
    if (!response.write(value)) await drained(response);
  }
  response.end();
}

function drained(response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const over = () => {
    response.off("drain", over);
    response.off("close", over);
    resolve();
  };
  response.on("drain", over);
  response.on("close", over);
  return promise;
}

const NO_PARAMS = { params: Promise.resolve({}) };

/** Node's request as an `ApiRequest`. */
class DirectRequest implements ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: ApiHeaders;
  readonly body: ApiRequest["body"];
  readonly #response: ServerResponse;
  #gone: AbortController | null = null;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.method = request.method ?? "";
    this.url = `http://obelus.invalid${request.url ?? "/"}`;
    this.headers = headersOf(request);
    this.body = bodyOf(request);
    this.#response = response;
  }

  /** Created lazily: few handlers use it. */
  get signal(): AbortSignal {
    const response = this.#response;
    if (this.#gone) return this.#gone.signal;
    const gone = new AbortController();
    this.#gone = gone;
    const look = () => {
      if (!response.writableFinished) gone.abort();
    };
    if (response.closed) look();
    else response.once("close", look);
    return gone.signal;
  }
}

function headersOf({ headers }: IncomingMessage): ApiHeaders {
  return {
    get(name) {
      const value = headers[name.toLowerCase()];
      return value === undefined ? null : String(value);
    },
    has: (name) => headers[name.toLowerCase()] !== undefined,
    *[Symbol.iterator]() {
      for (const [name, value] of Object.entries(headers)) if (value !== undefined) yield [name, String(value)];
    },
  };
}

/** A lazy body; a reader that stops early leaves the rest. */
function bodyOf(request: IncomingMessage): ApiRequest["body"] {
  return {
    get locked() {
      return request.listenerCount("readable") > 0;
    },
    values: () => request.iterator({ destroyOnReturn: false }),
  };
}
