import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Agents } from "./egress.ts";

/** Like the global `fetch`, as far as libraries use it. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** The maximum body of a response, in bytes: a model's longest streamed answer is a third of it. */
export const LONGEST_BODY = 64 * 1024 * 1024;

/** The body of a response was too long; the connection was closed. */
export class AnswerTooLarge extends Error {
  readonly code = "ERR_ANSWER_TOO_LARGE";

  constructor() {
    super("The response exceeds the size limit");
    this.name = "AnswerTooLarge";
  }
}

/** More redirects are probably a loop. */
const MOST_REDIRECTS = 3;
/** Redirects that keep method and body. */
const SAME_METHOD = [307, 308];
const REDIRECTS = [301, 302, 303, ...SAME_METHOD];

/**
 * Creates a `fetch` with Node's HTTP client, since Node's own `fetch` does not support agents. Redirects are followed
 * only on the same server and only if the request stays the same; others are returned. Reading a body beyond
 * `LONGEST_BODY` fails with `AnswerTooLarge`.
 */
export function createFetch(agents: Agents): Fetch {
  return async (input, init = {}) => {
    const request = new Request(input, init);
    const body = request.body === null ? null : Buffer.from(await request.arrayBuffer());
    const signal = init.signal ?? request.signal;
    let url = new URL(request.url);
    for (let redirects = 0; ; redirects++) {
      const answer = await send(agents, url, { request, body, signal });
      const next =
        request.redirect === "follow" && redirects < MOST_REDIRECTS ? redirectOf(answer, url, request) : null;
      if (next === null) return responseOf(answer, signal);
      answer.resume();
      url = next;
    }
  };
}

interface Sent {
  request: Request;
  body: Buffer | null;
  signal: AbortSignal;
}

function send(agents: Agents, url: URL, { request, body, signal }: Sent): Promise<IncomingMessage> {
  const secure = url.protocol === "https:";
  const headers = {
    "user-agent": "Obelus",
    ...Object.fromEntries(request.headers),
    "accept-encoding": "identity",
    ...(body && { "content-length": String(body.byteLength) }),
  };
  return new Promise((resolve, reject) => {
    const asked = (secure ? httpsRequest : httpRequest)(url, {
      method: request.method,
      headers,
      signal,
      agent: secure ? agents.https : agents.http,
    });
    // The error message of Node's own `fetch`, which libraries know.
    asked.on("error", (cause) => reject(signal.aborted ? signal.reason : new TypeError("fetch failed", { cause })));
    asked.on("response", resolve);
    asked.end(body);
  });
}

/** The target of a redirect, if it may be followed. */
function redirectOf({ statusCode = 0, headers: { location } }: IncomingMessage, from: URL, { method }: Request) {
  if (!REDIRECTS.includes(statusCode) || location === undefined) return null;
  if (!SAME_METHOD.includes(statusCode) && method !== "GET" && method !== "HEAD") return null;
  const target = URL.parse(location, from);
  return target?.origin === from.origin ? target : null;
}

/** Statuses without a body, which `Response` requires. */
const WITHOUT_BODY = [204, 205, 304];

function responseOf(answer: IncomingMessage, signal: AbortSignal): Response {
  const { statusCode = 0, statusMessage = "" } = answer;
  const headers = new Headers();
  for (const [name, values] of Object.entries(answer.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const isEmpty = WITHOUT_BODY.includes(statusCode) || answer.headers["content-length"] === "0";
  // Read to its end, so that the connection can be reused.
  if (isEmpty) answer.resume();
  const body = isEmpty ? null : bytesOf(answer, signal);
  return new Response(body, { status: statusCode, statusText: statusMessage, headers });
}

/** The limited body. If aborted, it fails with the signal's reason. */
function bytesOf(answer: IncomingMessage, signal: AbortSignal): ReadableStream<Uint8Array> {
  const chunks = answer[Symbol.asyncIterator]();
  let size = 0;
  return new ReadableStream({
    async pull(stream) {
      try {
        const { done, value } = await chunks.next();
        if (done) return stream.close();
        size += value.byteLength;
        if (size > LONGEST_BODY) {
          answer.destroy();
          throw new AnswerTooLarge();
        }
        stream.enqueue(new Uint8Array(value));
      } catch (error) {
        stream.error(signal.aborted ? signal.reason : error);
      }
    },
    cancel() {
      answer.destroy();
    },
  });
}
