import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Egress } from "../../../outgoing/egress.ts";
import { AnswerTooLarge } from "../../../outgoing/fetch.ts";
import { nextAnswer } from "../answer-turns.ts";

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
 * What an answer may have beside its body, in bytes: headers, interim answers (1xx) and the framing of chunks. Chunks of one byte take
 * 15 ms of the server's time for each 64 kB, and interim answers may go on for ever.
 */
const MOST_FRAMING = 64 * 1024;

/**
 * Sends one request and reads its answer by `read`; large answers come one in each turn of the event loop; a redirect is an answer like others. By Node's own
 * client and not by fetch, which repeats a request by itself (on 421) and which Next puts its cache around.
 *
 * Throws `ExchangeError`.
 */
export function exchange(
  { url, method, headers, body, way, reuse, signal }: Outgoing,
  read: (pieces: AsyncIterable<Buffer>, headers: IncomingHttpHeaders) => Promise<Buffer>,
): Promise<Incoming> {
  const secure = url.protocol === "https:";
  const agents = reuse ? way.kept : way.once;
  return new Promise((resolve, reject) => {
    let sent = false;
    let before = 0;
    const request = (secure ? httpsRequest : httpRequest)(url, {
      method,
      headers,
      signal,
      agent: secure ? agents.https : agents.http,
    });
    const fail = (error: unknown) => reject(new ExchangeError(signal.aborted ? signal.reason : error, sent));
    const received = () => (request.socket?.bytesRead ?? before) - before;
    request.on("socket", (socket) => {
      before = socket.bytesRead;
      if (request.reusedSocket) sent = true;
      else
        socket.once(secure ? "secureConnect" : "connect", () => {
          sent = true;
        });
    });
    request.on("error", fail);
    request.on("information", () => {
      if (received() > MOST_FRAMING) request.destroy(new AnswerTooLarge());
    });
    request.on("response", (response) => {
      read(piecesOf(response, received), response.headers).then(async (bytes) => {
        await nextAnswer(bytes.byteLength);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: bytes });
      }, fail);
    });
    request.end(body);
  });
}

/** The body as it streams in; leaving early ends the connection. Throws `AnswerTooLarge` where most of it is framing. */
async function* piecesOf(response: IncomingMessage, received: () => number): AsyncGenerator<Buffer, undefined> {
  let size = 0;
  for await (const piece of response) {
    size += piece.byteLength;
    if (received() > 2 * size + MOST_FRAMING) throw new AnswerTooLarge();
    yield piece;
  }
}

/** Reads a body of at most `limit` bytes: counts while they stream in. */
export async function bodyWithin(pieces: AsyncIterable<Buffer>, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of pieces) {
    size += chunk.byteLength;
    if (size > limit) throw new AnswerTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
