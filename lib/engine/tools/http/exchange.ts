import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Egress } from "../../../outgoing/egress.ts";
import { AnswerTooLarge } from "../../../outgoing/fetch.ts";

/** A request that is sent once: nothing below sends it again. */
export interface Outgoing {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | null;
  way: Egress;
  /**
   * Takes a connection that an earlier request left open. It may have died since, and nobody can tell then whether the
   * request arrived: only for what may be done twice.
   */
  reuse: boolean;
  signal: AbortSignal;
}

export interface Incoming {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** There was no whole answer; `cause` tells why, and is the signal's reason when that was why. */
export class ExchangeError extends Error {
  /** False: not a byte of the request had left. */
  readonly sent: boolean;

  constructor(cause: unknown, sent: boolean) {
    super("The exchange failed", { cause });
    this.name = "ExchangeError";
    this.sent = sent;
  }
}

/**
 * Sends one request and reads its answer by `read`; a redirect is an answer like others. By Node's own
 * client and not by fetch, which repeats a request by itself (on 421) and which Next puts its cache around.
 *
 * Throws `ExchangeError`.
 */
export function exchange(
  { url, method, headers, body, way, reuse, signal }: Outgoing,
  read: (response: IncomingMessage) => Promise<Buffer>,
): Promise<Incoming> {
  const secure = url.protocol === "https:";
  const agents = reuse ? way.kept : way.once;
  return new Promise((resolve, reject) => {
    let sent = false;
    const request = (secure ? httpsRequest : httpRequest)(url, {
      method,
      headers,
      signal,
      agent: secure ? agents.https : agents.http,
    });
    const fail = (error: unknown) => reject(new ExchangeError(signal.aborted ? signal.reason : error, sent));
    request.on("socket", (socket) => {
      if (request.reusedSocket) sent = true;
      else
        socket.once(secure ? "secureConnect" : "connect", () => {
          sent = true;
        });
    });
    request.on("error", fail);
    request.on("response", (response) => {
      read(response).then(
        (bytes) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: bytes }),
        fail,
      );
    });
    request.end(body);
  });
}

/** Reads a body of at most `limit` bytes: counts while they stream in; leaving early ends the connection. */
export async function bodyWithin(response: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.byteLength;
    if (size > limit) throw new AnswerTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
