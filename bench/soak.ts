import { readdirSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { DATABASE_FILE } from "../db/sqlite/open.ts";
import { claimBuild } from "../scripts/build.mjs";
import { startServerProcess } from "../scripts/server-process.ts";
import { prepare, setToWork, workersOf } from "./soak-load.ts";
import { trendOf } from "./soak-trend.ts";
import { count, milliseconds, printTable } from "./table.ts";

/** A sample of the server's metrics, MB for memory. */
interface Sample {
  minute: number;
  rss: number;
  heap: number;
  handles: number;
  fds: number;
  /** The p99 of waits since the last sample, ms. */
  wait: number;
  /** The histogram of waits since the server's start, s. */
  waited: Waited;
  wal: number;
  events: number;
}

type Waited = ReadonlyMap<number, number>;

const SAMPLE_MS = 10_000;
const MB = 1024 * 1024;
const COLUMNS = ["minute", "RSS, MB", "heap, MB", "handles", "files", "wait p99, ms", "WAL, MB", "events"];

/**
 * The maximum growth between warm-up and end, relative to the mean. Memory follows the load, and V8 lets it grow before
 * a collection, so it is never constant; a leak of 1 KB per request would be several times this.
 */
const MOST_GROWTH = { rss: 0.1, heap: 0.15, handles: 0.1, fds: 0.1 };

/** The maximum p99 of requests' waits, ms: at the end as at the start. */
const LONGEST_WAIT_MS = 50;

// Runs a mixed load on a server with its own data, and checks that memory and handles do not grow.
const { values } = parseArgs({ options: { minutes: { type: "string", default: "30" } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error("--minutes takes a number, such as 30");
/** During the warm-up caches fill, the reader threads start and V8's heap reaches its size. */
const warmUp = Math.min(5, minutes / 3);

process.env.OBELUS_DIST_DIR ??= claimBuild();
const dataDir = await mkdtemp(join(tmpdir(), "obelus-soak-"));
await using started = new AsyncDisposableStack();
started.defer(() => rm(dataDir, { recursive: true, force: true }));
const server = await startServerProcess(dataDir, { env: { OBELUS_DEMO: "0" } });
started.defer(() => server.stop());

console.log(`${minutes} minutes of mixed load on ${server.address}, of which ${warmUp.toFixed(1)} are for warming up`);
await prepare(server.address);
const enough = AbortSignal.timeout(minutes * 60_000);
const { done, over } = setToWork(workersOf(server.address), enough);
const samples: Sample[] = [];
const began = performance.now();
while (!enough.aborted) {
  await pause(SAMPLE_MS, undefined, { signal: enough }).catch(() => undefined);
  const sample = await look((performance.now() - began) / 60_000).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    return null;
  });
  if (sample) samples.push(sample);
}
await over;

printTable("What the server held", COLUMNS, everyNth(samples, 30).map(cells));
printTable(
  "What was asked of it",
  ["", "times", "failures", "the newest failure"],
  [...done].map(([name, { times, failures, last }]) => [
    name,
    count(times),
    count(failures),
    last?.slice(0, 100) ?? "",
  ]),
);
process.exitCode = verdict(samples.filter(({ minute }) => minute >= warmUp)) ? 0 : 1;

/** Prints the trends after the warm-up; returns whether all of them are flat. */
function verdict(steady: readonly Sample[]): boolean {
  const at = steady.map(({ minute }) => minute);
  const rows = (["rss", "heap", "handles", "fds"] as const).map((name) => {
    const { mean, slope, growth } = trendOf(
      at,
      steady.map((sample) => sample[name]),
    );
    return { name, mean, slope, growth, flat: growth <= MOST_GROWTH[name] };
  });
  printTable(
    `After ${warmUp.toFixed(1)} minutes of warming up`,
    ["", "mean", "a minute", "in all", "may", "verdict"],
    rows.map(({ name, mean, slope, growth, flat }) => [
      ...[name, mean.toFixed(1), slope.toFixed(3), `${(growth * 100).toFixed(1)}%`],
      ...[`${MOST_GROWTH[name] * 100}%`, flat ? "flat" : "RISING"],
    ]),
  );
  const third = Math.floor(steady.length / 3);
  const waits = [
    { name: "at its start", wait: waitBetween(steady[0]?.waited, steady[third]?.waited) },
    { name: "at its end", wait: waitBetween(steady.at(-third - 1)?.waited, steady.at(-1)?.waited) },
  ];
  printTable(
    "What a request waits for its turn, p99",
    ["", "", "may", "verdict"],
    waits.map(({ name, wait }) => [
      ...[name, milliseconds(wait), milliseconds(LONGEST_WAIT_MS)],
      wait <= LONGEST_WAIT_MS ? "short" : "LONG",
    ]),
  );
  const failed = [...done].filter(([, { times, failures }]) => failures > times / 100);
  if (failed.length > 0) console.log(`\nMore than one in a hundred failed: ${failed.map(([name]) => name).join(", ")}`);
  const short = waits.every(({ wait }) => wait <= LONGEST_WAIT_MS);
  const flat = rows.every((row) => row.flat) && short && steady.length > 2 && failed.length === 0;
  console.log(flat ? "\nFlat." : "\nNot flat.");
  return flat;
}

async function look(minute: number): Promise<Sample> {
  const metrics = await (await fetch(`${server.address}/api/metrics`)).text();
  const value = (name: string) =>
    Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, "m").exec(metrics)?.[1] ?? Number.NaN);
  const waited = waitedOf(metrics);
  return {
    minute,
    rss: Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1]) / 1024,
    heap: value("nodejs_heap_size_used_bytes") / MB,
    handles: value("nodejs_active_handles_total"),
    fds: readdirSync(`/proc/${server.pid}/fd`).length,
    wait: waitBetween(samples.at(-1)?.waited, waited),
    waited,
    wal: (statSync(join(dataDir, `${DATABASE_FILE}-wal`), { throwIfNoEntry: false })?.size ?? 0) / MB,
    events: value("obelus_events_appended_total"),
  };
}

function waitedOf(metrics: string): Waited {
  const lines = metrics.matchAll(/^obelus_event_loop_wait_seconds_bucket\{le="([^"]+)"\} (\d+)$/gm);
  return new Map([...lines].map(([, le, times]) => [le === "+Inf" ? Infinity : Number(le), Number(times)]));
}

/** The p99 of waits between two samples: the upper bound of its bucket, ms. */
function waitBetween(before: Waited | undefined, after: Waited | undefined): number {
  const since = [...(after ?? [])].map(([le, times]) => ({ le, times: times - (before?.get(le) ?? 0) }));
  const all = since.at(-1)?.times ?? 0;
  return (since.find(({ times }) => times >= 0.99 * all)?.le ?? Number.NaN) * 1_000;
}

function cells({ minute, rss, heap, handles, fds, wait, wal, events }: Sample): string[] {
  const figures = [minute, rss, heap].map((figure) => figure.toFixed(1));
  return [...figures, count(handles), count(fds), wait.toFixed(1), wal.toFixed(1), count(events)];
}

/** At most this many, evenly spaced, including the last. */
function everyNth<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, Math.ceil(all.length / most));
  return all.filter((_, at) => (all.length - 1 - at) % step === 0);
}
