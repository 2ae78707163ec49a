import type { IncomingMessage, ServerResponse } from "node:http";
import { problemBody } from "../../../api/problem.ts";

/** Bodies that are streamed without a time limit. */
const STREAMED = /^\/api\/(import|ag-ui)$/;
/** The idle limit of streamed bodies, as a multiple of the limit of others. */
const SILENCE = 10;

/** Aborts a request whose body does not arrive. */
export type BodyLimit = (request: IncomingMessage, response: ServerResponse, path: string | null) => void;

/**
 * Creates the time limit of bodies, in ms: bodies that never end hold memory and connections. Streamed bodies have an
 * idle limit instead.
 */
export function createBodyLimit(most: number): BodyLimit {
  return (request, response, path) => {
    if (!hasBody(request)) return;
    const streamed = path !== null && STREAMED.test(path);
    const after = streamed ? most * SILENCE : most;
    let read = -1;
    const timer = setTimeout(() => {
      if (request.complete || request.destroyed) return;
      const before = read;
      read = request.socket.bytesRead;
      // Received data that is not read yet is our delay, not the client's.
      if (streamed && (read !== before || request.readableLength > 0)) timer.refresh();
      else giveUp(request, response, after);
    }, after).unref();
    request.once("close", () => clearTimeout(timer));
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

/**
 * Responds on the socket, like Node's own timeout: the reader of the body sees a disconnected client, and may be about
 * to respond.
 */
function giveUp(request: IncomingMessage, response: ServerResponse, after: number): void {
  const { socket } = request;
  if (response.headersSent) {
    socket.destroy();
    return;
  }
  const detail = `The body did not arrive within ${after / 1_000} s; send it again.`;
  const text = JSON.stringify(problemBody("body_timeout", detail));
  const head = [
    "HTTP/1.1 408 Request Timeout",
    "content-type: application/problem+json",
    `content-length: ${Buffer.byteLength(text)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${text}`, () => socket.destroy());
}
