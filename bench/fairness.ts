import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { claimBuild } from "../scripts/build.mjs";
import { startServerProcess } from "../scripts/server-process.ts";
import { NEIGHBOURS, type Neighbour, says, validates } from "./neighbours.ts";
import { milliseconds, printTable } from "./table.ts";

/** How often a probe asks, ms. */
const PACE_MS = 10;

/** The longest that each had to wait, ms. */
interface Waits {
  health: number;
  posts: number;
  stream: number;
}

/** Measures how long others wait beside one that asks for much; each on a server of its own. */
export async function benchFairness(neighbours: readonly Neighbour[] = NEIGHBOURS): Promise<void> {
  const rows: string[][] = [];
  for (const neighbour of neighbours) {
    const row = await beside(neighbour);
    console.error(row.join("  "));
    rows.push(row);
  }
  printTable(
    "Bad neighbours: the longest wait of everybody else",
    ["beside", "/api/health", "a post", "a live event", "it took", "answered"],
    rows,
  );
}

async function beside(neighbour: Neighbour): Promise<string[]> {
  await using started = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), "obelus-fairness-"));
  started.defer(() => rm(dataDir, { recursive: true, force: true }));
  const server = await startServerProcess(dataDir, { env: { OBELUS_DEMO: "0" } });
  started.defer(() => server.stop());
  const url = server.address;
  // What is loaded with a first request is not the neighbour's.
  await Promise.all([fetch(`${url}/api/health`), postEvent(url, 0)]);
  for (const id of ["warm", "warmer"]) await says(id, "**Said**")(url);
  await validates({ type: "string" }, "a")(url);
  const probes = await startProbes(url);
  const began = performance.now();
  const answered = await neighbour.act(url).catch((error: unknown) => String(error));
  const took = performance.now() - began;
  await setTimeout(10 * PACE_MS);
  const waits = await probes.stop();
  const cells = [waits.health, waits.posts, waits.stream, took].map(milliseconds);
  return [neighbour.name, ...cells, answered];
}

async function startProbes(url: string): Promise<{ stop(): Promise<Waits> }> {
  const waits: Waits = { health: 0, posts: 0, stream: 0 };
  const ending = new AbortController();
  const { signal } = ending;
  const sent = new Map<number, number>();
  const stream = await fetch(`${url}/api/stream?conversation_id=probe`, { signal });
  const follow = async () => {
    let text = "";
    for await (const chunk of (stream.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const ends = text.lastIndexOf("\n\n");
      for (const [, n] of text.slice(0, ends).matchAll(/"n":(\d+)/g)) {
        const at = sent.get(Number(n));
        if (at !== undefined) waits.stream = Math.max(waits.stream, performance.now() - at);
        sent.delete(Number(n));
      }
      text = text.slice(ends);
    }
  };
  const repeat = async (act: (n: number) => Promise<unknown>, name: "health" | "posts") => {
    for (let n = 1; !signal.aborted; n++) {
      const began = performance.now();
      await act(n);
      waits[name] = Math.max(waits[name], performance.now() - began);
      await setTimeout(PACE_MS);
    }
  };
  const following = follow().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  const probing = [
    repeat(() => fetch(`${url}/api/health`).then((response) => response.arrayBuffer()), "health"),
    repeat((n) => {
      sent.set(n, performance.now());
      return postEvent(url, n);
    }, "posts"),
  ];
  return {
    async stop() {
      ending.abort();
      await Promise.all([...probing, following]);
      return waits;
    },
  };
}

async function postEvent(url: string, n: number): Promise<void> {
  const body = JSON.stringify({ id: `probe-${n}`, conversation_id: "probe", type: "log", payload: { n } });
  const response = await fetch(`${url}/api/events`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  await response.arrayBuffer();
}

if (import.meta.main) {
  process.env.OBELUS_DIST_DIR ??= claimBuild();
  const [only = ""] = process.argv.slice(2);
  await benchFairness(NEIGHBOURS.filter(({ name }) => name.includes(only)));
}
