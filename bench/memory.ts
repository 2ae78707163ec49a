import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { claimBuild } from "../scripts/build.mjs";
import { longSession } from "../scripts/seed/long-session.ts";
import { postEvents } from "../scripts/seed/post.ts";
import { startServerProcess } from "../scripts/server-process.ts";
import { NEIGHBOURS } from "./neighbours.ts";
import { count, printTable } from "./table.ts";

/** A process's resident memory by what holds it, MB. */
interface Memory {
  all: number;
  /** Node's executable and libraries, as far as they were used. */
  program: number;
  /** What C allocates in pieces below `MALLOC_MMAP_THRESHOLD_`. */
  arenas: number;
  /** V8's heaps, large buffers and stacks. */
  rest: number;
  /** Of that, the heap of the main thread. */
  mainHeap: number;
}

const MB = 1024 * 1024;
const SAMPLE_MS = 50;
/** After these times without requests the memory is printed, s. */
const IDLE_S = [5, 15, 30, 60, 120];
/** glibc maps an arena other than the first at a multiple of this. */
const ARENA = 64n * 1024n * 1024n;

// Sends the most expensive requests to one server, one after another, and prints the memory that it keeps when idle.
const { values } = parseArgs({
  options: { events: { type: "string", default: "100000" }, only: { type: "string", default: "" } },
});
process.env.OBELUS_DIST_DIR ??= claimBuild();
const dataDir = await mkdtemp(join(tmpdir(), "obelus-memory-"));
await using started = new AsyncDisposableStack();
started.defer(() => rm(dataDir, { recursive: true, force: true }));
const server = await startServerProcess(dataDir, { env: { OBELUS_DEMO: "0" } });
started.defer(() => server.stop());

const rows: string[][] = [];
let most = 0;
const sampling = setInterval(() => {
  most = Math.max(most, residentMegabytes(server.pid));
}, SAMPLE_MS);
started.defer(() => clearInterval(sampling));

await pause(10_000);
await print("after the start");
for (const { name, act } of [...NEIGHBOURS, ...ofLongSession(Number(values.events))]) {
  if (!name.includes(values.only)) continue;
  const answered = await act(server.address).catch((error: unknown) => String(error));
  await print(`${name}: ${answered}`);
}
let waited = 0;
for (const seconds of IDLE_S) {
  await pause((seconds - waited) * 1_000);
  waited = seconds;
  await print(`idle for ${seconds} s`);
}
printTable("Memory, MB", ["after", "at most", "all", "program", "C's arenas", "V8 and others", "main heap"], rows);

async function print(after: string): Promise<void> {
  const { all, program, arenas, rest, mainHeap } = await memoryOf(server.pid);
  const row = [after, ...[Math.max(most, all), all, program, arenas, rest, mainHeap].map(count)];
  most = 0;
  rows.push(row);
  console.error(row.join("  "));
}

/** Every expensive request about one long session. */
function ofLongSession(events: number): { name: string; act(url: string): Promise<string> }[] {
  const session = longSession({ seed: 1, size: events, now: Date.now() });
  const id = "seed-long-session-1";
  const get = (path: string) => async (url: string) => {
    const response = await fetch(`${url}${path}`);
    for await (const _ of response.body ?? []);
    return String(response.status);
  };
  const part = (rest: string) => get(`/api/conversations/${id}/${rest}`);
  return [
    {
      name: `${count(events)} events`,
      act: async (url) => count((await postEvents(url, session.events)).events),
    },
    ...["timeline", "timeline/buckets", "view", `view?at=${Math.floor(events / 2)}`, "search?q=pump", "map"].map(
      (rest) => ({ name: rest, act: part(rest) }),
    ),
    ...["inferred-edges", "messages?limit=200", "events?type=call.failed", "export"].map((rest) => ({
      name: rest,
      act: part(rest),
    })),
    { name: "studio", act: get(`/conversations/${id}`) },
    { name: "transcript", act: get(`/conversations/${id}/transcript`) },
    { name: "views at 200 steps", act: views(id, events) },
  ];
}

function views(id: string, events: number) {
  return async (url: string) => {
    for (let n = 0; n < 200; n += 4)
      await Promise.all(
        [0, 1, 2, 3].map(async (more) => {
          const at = Math.floor(((n + more) * 7_919) % events);
          await (await fetch(`${url}/api/conversations/${id}/view?at=${at}`)).arrayBuffer();
        }),
      );
    return "200";
  };
}

async function memoryOf(pid: number): Promise<Memory> {
  const metrics = await (await fetch(`${server.address}/api/metrics`)).text();
  const memory = { all: 0, program: 0, arenas: 0, rest: 0 };
  for (const area of readFileSync(`/proc/${pid}/smaps`, "utf8").split(/(?=^[0-9a-f]+-[0-9a-f]+ )/m)) {
    const [, start = "0", inode = "0", name = ""] = /^([0-9a-f]+)-\S+ \S+ \S+ \S+ (\d+)\s*(.*)/.exec(area) ?? [];
    const size = Number(/^Rss:\s+(\d+)/m.exec(area)?.[1] ?? 0) / 1024;
    const isArena = name === "[heap]" || (name === "" && BigInt(`0x${start}`) % ARENA === 0n);
    memory.all += size;
    memory[inode !== "0" ? "program" : isArena ? "arenas" : "rest"] += size;
  }
  return { ...memory, mainHeap: Number(/^nodejs_heap_size_total_bytes (\S+)/m.exec(metrics)?.[1]) / MB };
}

function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}
