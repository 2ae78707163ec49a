import { z } from "zod";

/** Environment of a server whose heap can be measured. */
export const INSPECTED = { NODE_OPTIONS: "--inspect=127.0.0.1:0" };

/**
 * A server's heap after a collection, in MB. Resident memory depends on earlier memory pressure. `log` has the
 * inspector's address.
 */
export async function collectedHeapMb(log: string): Promise<number> {
  const address = /Debugger listening on (ws:\S+)/.exec(log)?.[1];
  if (address === undefined) throw new Error("The server has no inspector");
  const socket = new WebSocket(address);
  await once(socket, "open");
  await ask(socket, 1, "HeapProfiler.collectGarbage");
  const { result } = usage.parse(await ask(socket, 2, "Runtime.getHeapUsage"));
  socket.close();
  return result.usedSize / 1_048_576;
}

const usage = z.object({ result: z.object({ usedSize: z.number() }) });

async function ask(socket: WebSocket, id: number, method: string): Promise<unknown> {
  const answered = once(socket, "message");
  socket.send(JSON.stringify({ id, method }));
  return JSON.parse(String((await answered).data));
}

function once(socket: WebSocket, type: "open" | "message"): Promise<MessageEvent> {
  const { promise, resolve, reject } = Promise.withResolvers<MessageEvent>();
  socket.addEventListener(type, (event) => resolve(event as MessageEvent), { once: true });
  socket.addEventListener("error", () => reject(new Error("The inspector does not answer")), { once: true });
  return promise;
}
