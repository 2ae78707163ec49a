import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

/** The longest wait of each probe, ms. */
export interface Waits {
  health: number;
  posts: number;
  stream: number;
}

/** The interval of probes, ms. */
const PACE_MS = 10;

// The entry of the probe thread, so that the load generator does not delay the probes. It reports when it is connected,
// and the waits when it is stopped.
if (!parentPort) throw new Error("fairness-probes.ts runs as a worker thread");
const port = parentPort;
const url = String(workerData);
const waits: Waits = { health: 0, posts: 0, stream: 0 };
const ending = new AbortController();
const { signal } = ending;
const sent = new Map<number, number>();
port.once("message", () => ending.abort());

// The first request loads code and is not measured.
for (const response of await Promise.all([fetch(`${url}/api/health`), postEvent(0)])) await response.arrayBuffer();
const stream = await fetch(`${url}/api/stream?conversation_id=probe`, { signal });
const probing = [
  follow(),
  repeat("health", () => fetch(`${url}/api/health`)),
  repeat("posts", (n) => {
    sent.set(n, performance.now());
    return postEvent(n);
  }),
];
port.postMessage("connected");
await Promise.all(probing);
port.postMessage(waits);

async function repeat(name: "health" | "posts", ask: (n: number) => Promise<Response>): Promise<void> {
  for (let n = 1; !signal.aborted; n++) {
    const began = performance.now();
    const response = await ask(n);
    await response.arrayBuffer();
    waits[name] = Math.max(waits[name], performance.now() - began);
    await pause(PACE_MS);
  }
}

async function follow(): Promise<void> {
  let text = "";
  try {
    for await (const chunk of (stream.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const ends = text.lastIndexOf("\n\n");
      for (const [, n] of text.slice(0, Math.max(ends, 0)).matchAll(/"n":(\d+)/g)) {
        const at = sent.get(Number(n));
        if (at !== undefined) waits.stream = Math.max(waits.stream, performance.now() - at);
        sent.delete(Number(n));
      }
      if (ends >= 0) text = text.slice(ends);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function postEvent(n: number): Promise<Response> {
  const body = JSON.stringify({ id: `probe-${n}`, conversation_id: "probe", type: "log", payload: { n } });
  return fetch(`${url}/api/events`, { method: "POST", headers: { "content-type": "application/json" }, body });
}
