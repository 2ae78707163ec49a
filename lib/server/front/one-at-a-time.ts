import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { createTurns } from "../../event-loop/turns.ts";

/**
 * A connection on which more requests than this wait is closed. Node parses what it has received before anybody can pause it,
 * some thousands of requests a chunk, and each waiting one takes 2 kB.
 */
const MOST_WAITING = 200;

/**
 * Begins the next request of a connection when the one before it is answered, and lets other connections come first: Node hands
 * over at once all requests that a client has sent, and 20,000 of them kept others waiting for seconds.
 */
export function oneAtATime(listener: RequestListener): RequestListener {
  const connections = new WeakMap<Socket, Waiting[]>();
  const turn = createTurns();

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
