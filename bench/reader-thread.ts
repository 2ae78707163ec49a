import { once } from "node:events";
import { request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

/** The input of a thread of readers. */
export interface Reading {
  /** `live`: measures the latency of batches. `behind`: reads everything from the start. */
  kind: "live" | "behind";
  address: string;
  readers: number;
  /** When each batch was sent, ms since the epoch. */
  sent: Float64Array;
}

/** The final request. */
export interface ResultsRequest {
  /** The first batch that counts. */
  from: number;
  /** The number of counted batches to wait for, over all readers. */
  told: number;
}

/** The results for counted batches. */
export interface ReaderResults {
  bytes: number;
  told: number;
  /** By batch and reader, ms. */
  waits: number[];
}

const LONGEST_WAIT_MS = 30_000;
const MARK = '"payload":{"batch":';

// The entry of the thread: it reports when its readers are connected, and the results on request.
if (!parentPort) throw new Error("reader-thread.ts runs as a worker thread");
const port = parentPort;
const { kind, address, readers, sent }: Reading = workerData;
let bytes = 0;
/** The latencies of each batch by reader, ms. */
const waits: number[][] = [];
await Promise.all(Array.from({ length: readers }, connect));
port.postMessage(null);
const [final]: ResultsRequest[] = await once(port, "message");
if (!final) throw new Error("The thread of readers was asked for nothing");
const { from, told } = final;
const deadline = performance.now() + LONGEST_WAIT_MS;
let counted = waits.slice(from).flat();
for (; counted.length < told && performance.now() < deadline; counted = waits.slice(from).flat()) await pause(50);
port.postMessage({ bytes, told: counted.length, waits: counted } satisfies ReaderResults);

async function connect(): Promise<void> {
  const asked = request(`${address}/api/stream${kind === "behind" ? "?after=0" : ""}`, { agent: false });
  asked.end();
  const [response] = await once(asked, "response");
  let rest: Buffer = Buffer.alloc(0);
  response.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
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
    waits[batch] ??= [];
    waits[batch].push(now - (sent[batch] ?? now));
  }
}
