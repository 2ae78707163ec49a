import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { createTurns } from "./turns.ts";

/** More requests than this that wait on a connection are not read. */
const MOST_WAITING = 100;

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
    if (waiting.length < MOST_WAITING && socket.isPaused()) socket.resume();
    begin(socket, next);
  }

  return (request, response) => {
    const { socket } = request;
    const waiting = connections.get(socket);
    if (waiting === undefined) {
      connections.set(socket, []);
      begin(socket, { request, response });
    } else if (waiting.push({ request, response }) >= MOST_WAITING) socket.pause();
  };
}

interface Waiting {
  request: IncomingMessage;
  response: ServerResponse;
}
