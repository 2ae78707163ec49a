import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { createIterationQueue } from "../../../event-loop/iteration-queue.ts";

/**
 * A connection with more queued requests is closed. Node parses everything it has received, some thousands of requests
 * per chunk, and each queued one takes 2 kB.
 */
const MOST_WAITING = 200;

/**
 * Handles the requests of a connection one at a time, yielding to other connections: with HTTP pipelining Node emits
 * all received requests at once, and 20,000 of them blocked others for seconds.
 */
export function oneAtATime(listener: RequestListener): RequestListener {
  const connections = new WeakMap<Socket, Waiting[]>();
  const turn = createIterationQueue();

  function begin(socket: Socket, { request, response }: Waiting): void {
    response.once("close", () => {
      if (connections.get(socket)?.length) void turn().then(() => beginNext(socket));
      else connections.delete(socket);
    });
    listener(request, response);
  }

  function beginNext(socket: Socket): void {
    const waiting = connections.get(socket) ?? [];
    const next = socket.destroyed ? undefined : waiting.shift();
    if (next === undefined) return;
    begin(socket, next);
  }

  return (request, response) => {
    const { socket } = request;
    const waiting = connections.get(socket);
    if (waiting === undefined) {
      connections.set(socket, []);
      begin(socket, { request, response });
    } else if (waiting.length < MOST_WAITING) waiting.push({ request, response });
    else {
      waiting.length = 0;
      socket.destroy();
    }
  };
}

interface Waiting {
  request: IncomingMessage;
  response: ServerResponse;
}
