import { once } from "node:events";
import { request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

/** What the thread of some readers is to do. */
export interface Reading {
  /** `live`: tells how long batches took to come. `behind`: reads all from the start. */
  kind: "live" | "behind";
  address: string;
  readers: number;
  /** When each batch was sent, ms since the epoch. */
  sent: Float64Array;
}

/** What its readers have heard. */
export interface Heard {
  bytes: number;
  told: number;
  /** Of each batch and reader, ms. */
  waits: number[];
}

const LONGEST_WAIT_MS = 30_000;
const MARK = '"payload":{"batch":';

// The entry of the thread: it says when all of its readers are connected, and what they have heard when it is asked.
if (!parentPort) throw new Error("reader-thread.ts runs as a worker thread");
const port = parentPort;
const { kind, address, readers, sent }: Reading = workerData;
const heard: Heard = { bytes: 0, told: 0, waits: [] };
await Promise.all(Array.from({ length: readers }, connect));
port.postMessage(heard);
const [expected] = await once(port, "message");
const deadline = performance.now() + LONGEST_WAIT_MS;
while (heard.told < expected && performance.now() < deadline) await pause(50);
port.postMessage(heard);

async function connect(): Promise<void> {
  const asked = request(`${address}/api/stream${kind === "behind" ? "?after=0" : ""}`, { agent: false });
  asked.end();
  const [response] = await once(asked, "response");
  let rest: Buffer = Buffer.alloc(0);
  response.on("data", (chunk: Buffer) => {
    heard.bytes += chunk.length;
    if (kind === "behind") return;
    const text = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const end = text.lastIndexOf("\n\n") + 2;
    take(text.subarray(0, end));
    rest = text.subarray(end);
  });
}

function take(chunk: Buffer): void {
  const now = performance.timeOrigin + performance.now();
  for (let at = chunk.indexOf(MARK); at >= 0; at = chunk.indexOf(MARK, at + 1)) {
    const batch = Number.parseInt(chunk.toString("latin1", at + MARK.length, at + MARK.length + 10), 10);
    heard.told += 1;
    heard.waits.push(now - (sent[batch] ?? now));
  }
}
