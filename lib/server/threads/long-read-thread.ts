import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { type Chunk, chunksOf } from "../../api/stream/long-reads.ts";
import { logPlace, openLogReader } from "./log-place.ts";
import type { Answered, Order } from "./long-reads.ts";

// The entry of the long-read thread. It handles requests in turn, so that each read waits for one chunk of the others.
if (!parentPort) throw new Error("long-read-thread.ts runs as a worker thread");
const port = parentPort;
const log = await openLogReader(logPlace.parse(workerData));
lowerPriority();
const reads = new Map<number, ReturnType<typeof chunksOf>>();

port.on("message", async (order: Order) => {
  switch (order.act) {
    case "open":
      reads.set(order.id, chunksOf(order.read, log));
      return;
    case "close":
      reads.delete(order.id);
      return;
    case "next":
      return answer(order.id);
    default:
      return order satisfies never;
  }
});

async function answer(id: number): Promise<void> {
  try {
    const chunk = (await reads.get(id)?.()) ?? null;
    send({ id, chunk }, chunk);
  } catch (error) {
    send({ id, error }, null);
  }
}

function send(answered: Answered, chunk: Chunk | null): void {
  port.postMessage(answered, chunk ? [chunk.bytes.buffer] : []);
}

/**
 * Under load, live streams have priority over reads that catch up. On Linux a priority is a thread's own; elsewhere it
 * is that of the whole process.
 */
function lowerPriority(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A sandbox may forbid it: then all have the same priority.
  }
}
