import { type ClientRequest, get } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { fire } from "../load.ts";
import { memoryOf } from "./start.ts";
import { type Figure, type Subject, spread } from "./subject.ts";

const READERS = 200;
const BATCH = 100;
const BATCHES = 50;
const EVERY_MS = 100;
/** In the last event of a batch, so that the others need not be parsed. */
const MARK = /"bench_batch":(\d+)/g;
const LONGEST_MARK = 40;

/** From a post of 100 events to each of 200 readers, at 1,000 events per second; the readers share the machine. */
export async function measureStream({ server }: Subject): Promise<Figure[]> {
  const sent: number[] = [];
  const late: number[] = [];
  const requests = await Promise.all(
    Array.from({ length: READERS }, () =>
      read(`${server.address}/api/stream`, (batch, at) => late.push(at - (sent[batch] ?? at))),
    ),
  );
  for (let batch = 0; batch < BATCHES; batch += 1) {
    sent[batch] = performance.now();
    await fire(server.address, [{ path: "/api/events", body: JSON.stringify(events(batch)) }], 1);
    await wait(Math.max(0, EVERY_MS - (performance.now() - (sent[batch] ?? 0))));
  }
  while (late.length < READERS * BATCHES) await wait(50);
  const memory = await memoryOf(server.pid);
  for (const request of requests) request.destroy();
  return [
    {
      what: `a batch of ${BATCH} → each of ${READERS} readers, p50 / p99`,
      measured: spread(late),
      target: "p99 50 ms",
    },
    { what: "memory of the server by then", measured: `${memory.toFixed(0)} MB`, target: "300 MB" },
  ];
}

function events(batch: number): object[] {
  return Array.from({ length: BATCH }, (_, index) => ({
    conversation_id: "bench-stream",
    type: "log",
    payload: index === BATCH - 1 ? { bench_batch: batch } : { step: index },
  }));
}

/** Reads a stream from now on; resolves when it is open. */
function read(url: string, onBatch: (batch: number, at: number) => void): Promise<ClientRequest> {
  const { promise, resolve, reject } = Promise.withResolvers<ClientRequest>();
  const request = get(url, { agent: false }, (response) => {
    resolve(request);
    let rest = "";
    response.setEncoding("utf8").on("data", (chunk: string) => {
      const at = performance.now();
      const text = rest + chunk;
      let end = 0;
      for (const found of text.matchAll(MARK)) {
        onBatch(Number(found[1]), at);
        end = found.index + found[0].length;
      }
      rest = text.slice(Math.max(end, text.length - LONGEST_MARK));
    });
  });
  request.on("error", reject);
  return promise;
}
