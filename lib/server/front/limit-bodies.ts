import type { IncomingMessage, ServerResponse } from "node:http";
import { problemBody } from "../../api/problem.ts";

/** Bodies that come for as long as their sender has something to say. */
const STREAMED = /^\/api\/(import|ag-ui)$/;
/** So many times longer than a whole body may take, nothing may come of one of those. */
const SILENCE = 10;

/** Gives a request up whose body does not come. */
export type BodyLimit = (request: IncomingMessage, response: ServerResponse, path: string | null) => void;

/**
 * Makes the limit of how long bodies may take to come, in ms: bodies that never end hold memory and connections. One that
 * streams may last, and has to go on.
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
      // What has come and is not read yet waits for us.
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
 * Answered on the connection itself, as Node's own time limit is: whoever reads the body then sees a client that has gone,
 * and may be about to answer.
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
