import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { setImmediate } from "node:timers/promises";
import type { Requester } from "../../access/caller.ts";
import { contentOf } from "../../api/answers/answer.ts";
import type { ApiHeaders, ApiRequest } from "../../api/request/api-request.ts";
import { REQUESTER_HEADER, writeRequester } from "../../api/request/requester.ts";
import { PulledStream } from "../../api/stream/pulled-stream.ts";
import { errorCode } from "../startup-error.ts";
import type { ApiHandlers } from "./api-handlers.ts";
import { compress, compressor, mayCompress } from "./compression/compress-answers.ts";

/**
 * Answers a request to the API with the handler of its route file. It bypasses Next, whose way to the handler took four
 * times the work of most. Null if the path is not of the API.
 */
export function answerApi(
  handlers: ApiHandlers,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  requester: Requester,
): Promise<void> | null {
  const found = handlers.find(path);
  if (!found) return null;
  const params = Promise.resolve(found.params);
  return found
    .handler(new DirectRequest(request, response, requester), { params })
    .then((answer) => send(answer, request, response));
}

/** For each event of a response; Node warns of more than 10. */
const MOST_LISTENERS = 20;

async function send(answer: Response, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (response.destroyed) return answer.body?.cancel();
  response.statusCode = answer.status;
  response.setHeaders(answer.headers);
  const isCompressible = mayCompress(answer.headers);
  // Also of what is sent as it is: a cache must not give it to others, or theirs to this client.
  if (isCompressible) response.appendHeader("vary", "accept-encoding");
  const coding = isCompressible ? request.headers["accept-encoding"] : undefined;
  const known = contentOf(answer);
  if (known !== undefined) return sendWhole(known, coding, response);
  if (!answer.body) {
    response.end();
    return;
  }
  if (answer.body instanceof PulledStream) return sendStream(answer.body, response);
  // Problems are short.
  if (!answer.ok) return sendWhole(await answer.text(), coding, response);
  const chunks = answer.body.values();
  const compressed = compressor(coding, response);
  // A pipeline adds five to those of the front.
  response.setMaxListeners(MOST_LISTENERS);
  try {
    await (compressed ? pipeline(chunks, compressed, response) : pipeline(chunks, response));
  } catch (error) {
    // The client has disconnected.
    if (errorCode(error) !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  }
}

async function sendWhole(
  content: string | Uint8Array<ArrayBuffer>,
  coding: string | string[] | undefined,
  response: ServerResponse,
): Promise<void> {
  const body = await compress(content, coding, response);
  response.setHeader("content-length", Buffer.byteLength(body)).end(body);
}

/** Backpressure: the next chunk is requested when the previous one has been sent. */
async function sendStream({ chunks, isEndless }: PulledStream, response: ServerResponse): Promise<void> {
  // In HTTP's chunks, each event is four writes and a third of the work of hundreds of clients.
  if (isEndless) response.setHeader("connection", "close").removeHeader("transfer-encoding");
  for (;;) {
    const chunk = await chunks.next();
    if (response.destroyed) return chunks.cancel();
    if (!chunk) break;
    if (!response.write(chunk)) await drained(response);
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

/** Methods whose body is not read, as in the web's `Request`. */
const BODYLESS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** Node's request as an `ApiRequest`. */
class DirectRequest implements ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: ApiHeaders;
  readonly body: ApiRequest["body"];
  readonly #response: ServerResponse;
  #gone: AbortController | null = null;

  constructor(request: IncomingMessage, response: ServerResponse, requester: Requester) {
    this.method = request.method ?? "";
    this.url = `http://obelus.invalid${request.url ?? "/"}`;
    this.headers = headersOf(request, requester);
    this.body = BODYLESS.has(this.method) ? null : bodyOf(request);
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

/** The request's headers; that of the caller is the front's, whatever the client has sent. */
function headersOf({ headers }: IncomingMessage, requester: Requester): ApiHeaders {
  const headerOf = (name: string) => (name === REQUESTER_HEADER ? writeRequester(requester) : headers[name]);
  return {
    requester,
    get(name) {
      const value = headerOf(name.toLowerCase());
      return value === undefined ? null : String(value);
    },
    has: (name) => headerOf(name.toLowerCase()) !== undefined,
    *[Symbol.iterator]() {
      for (const name of new Set([...Object.keys(headers), REQUESTER_HEADER])) {
        const value = headerOf(name);
        if (value !== undefined) yield [name, String(value)];
      }
    },
  };
}

/** A lazy body; a reader that stops early leaves the rest. */
function bodyOf(request: IncomingMessage): ApiRequest["body"] {
  return {
    get locked() {
      return request.listenerCount("readable") > 0;
    },
    // Node tells of a small request before it has parsed its body, which came along. An iterator takes 15 µs.
    async arrived() {
      await setImmediate();
      return request.complete && !request.destroyed ? request.read() : null;
    },
    values: () => request.iterator({ destroyOnReturn: false }),
  };
}
