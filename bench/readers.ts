import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent } from "node:http";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { claimBuild } from "../scripts/build.mjs";
import { type ServerProcess, startServerProcess } from "../scripts/server-process.ts";
import { send } from "./load.ts";
import type { ReaderResults, Reading, ResultsRequest } from "./reader-thread.ts";
import { seedLog } from "./seed-log.ts";
import { count, milliseconds, printTable, quantile } from "./table.ts";

interface Options {
  /** The number of live readers. */
  readers: number;
  /** Events per second, in batches of ten. */
  rate: number;
  seconds: number;
  /** How many read all of the log from its start, in the second measurement. */
  behind: number;
  /** The size of that log. */
  events: number;
  /** A data directory that was seeded before; created if missing. */
  data?: string;
}

const BATCH = 10;
/** How long readers that catch up take to reach their full rate. */
const CATCH_UP_MS = 3_000;
/** Not counted: code that runs for the first time saturates a new server for about 3 s. */
const WARM_UP_S = 5;

/** Measures the latency of live readers, alone and while others read all of the log, and the server's memory. */
export async function benchReaders({ data, ...options }: Options): Promise<void> {
  await using started = new AsyncDisposableStack();
  const dataDir = data ?? (await mkdtemp(join(tmpdir(), "obelus-readers-")));
  if (data === undefined) {
    started.defer(() => rm(dataDir, { recursive: true, force: true }));
    await seedLog(dataDir, options.events);
  }
  const rows = [];
  for (const behind of [0, options.behind]) {
    await using server = await startedOn(dataDir);
    rows.push(await measure(server.process, { ...options, behind }));
  }
  printTable(
    `${options.readers} live readers at ${count(options.rate)} events/s (p99 under 50 ms, server under 350 MB)`,
    ["beside", "told, p50", "p99", "at most", "events told", "read meanwhile", "server, at most", "its CPU", "load"],
    rows,
  );
}

async function startedOn(dataDir: string) {
  const process = await startServerProcess(dataDir, { env: { OBELUS_DEMO: "0" } });
  return { process, [Symbol.asyncDispose]: () => process.stop() };
}

async function measure(server: ServerProcess, { readers, rate, seconds, behind }: Options): Promise<string[]> {
  const warmUp = Math.ceil((rate / BATCH) * WARM_UP_S);
  const batches = Math.ceil((rate / BATCH) * seconds);
  const sent = new Float64Array(new SharedArrayBuffer(8 * (warmUp + batches)));
  const live = await listen({ kind: "live", address: server.address, readers, sent });
  const catchingUp =
    behind > 0 ? await listen({ kind: "behind", address: server.address, readers: behind, sent }) : null;
  await pause(CATCH_UP_MS);
  await post(server.address, sent.subarray(0, warmUp), rate, 0);
  let largest = 0;
  const looking = setInterval(() => {
    largest = Math.max(largest, residentMegabytes(server.pid));
  }, 100);
  const before = cpuSeconds(server.pid);
  await post(server.address, sent.subarray(warmUp), rate, warmUp);
  const { waits, told } = await live.end({ from: warmUp, told: readers * batches });
  const used = cpuSeconds(server.pid) - before;
  const read = await catchingUp?.end({ from: 0, told: 0 });
  clearInterval(looking);
  const ascending = waits.sort((a, b) => a - b);
  return [
    behind === 0 ? "nobody else" : `${behind} who read all from the start`,
    ...[quantile(ascending, 0.5), quantile(ascending, 0.99), ascending.at(-1) ?? Number.NaN].map(milliseconds),
    `${count(told * BATCH)} of ${count(readers * batches * BATCH)}`,
    read ? `${count(read.bytes / 1024 ** 2)} MB` : "",
    `${count(largest)} MB`,
    `${used.toFixed(1)} s`,
    loadavg()[0]?.toFixed(1) ?? "",
  ];
}

/** Posts batches at fixed times, numbered from `first`, whether or not earlier ones were answered. */
export async function post(address: string, sent: Float64Array, rate: number, first: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const began = performance.now();
  const answers = [];
  for (let batch = 0; batch < sent.length; batch += 1) {
    await pause(Math.max(0, began + (batch * BATCH * 1_000) / rate - performance.now()));
    const events = Array.from({ length: BATCH }, (_, n) => ({
      ...{ conversation_id: `live-${batch % 50}`, type: "log", actor: "agent:live", run_id: `run-${batch % 50}` },
      payload:
        n === 0
          ? { batch: first + batch }
          : { message: "The parcel is two days late; the carrier was told, and the customer, too." },
    }));
    sent[batch] = performance.timeOrigin + performance.now();
    answers.push(send(agent, address, { path: "/api/events", body: JSON.stringify(events) }));
  }
  await Promise.all(answers);
  agent.destroy();
}

/** Readers in a thread of their own, so that they do not delay posting. */
export async function listen(reading: Reading): Promise<{ end(request: ResultsRequest): Promise<ReaderResults> }> {
  const worker = new Worker(new URL("./reader-thread.ts", import.meta.url), { workerData: reading });
  const message = () => {
    const { promise, resolve, reject } = Promise.withResolvers<ReaderResults>();
    worker.once("message", resolve);
    worker.once("error", reject);
    return promise;
  };
  await message();
  return {
    async end(request) {
      worker.postMessage(request);
      const results = await message();
      await worker.terminate();
      return results;
    },
  };
}

function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

function cpuSeconds(pid: number): number {
  const [user = 0, system = 0] = readFileSync(`/proc/${pid}/stat`, "utf8").split(" ").slice(13, 15).map(Number);
  return (user + system) / 100;
}

if (import.meta.main) {
  process.env.OBELUS_DIST_DIR ??= claimBuild();
  const number = (value: string) => ({ type: "string" as const, default: value });
  const { values } = parseArgs({
    options: {
      ...{ readers: number("200"), rate: number("1000"), seconds: number("60"), behind: number("5") },
      ...{ events: number("2000000"), data: { type: "string" } },
    },
  });
  const { readers, rate, seconds, behind, events, data } = values;
  await benchReaders({
    ...{ readers: Number(readers), rate: Number(rate), seconds: Number(seconds), behind: Number(behind) },
    ...{ events: Number(events), data },
  });
}
