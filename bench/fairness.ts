import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { claimBuild } from "../scripts/build.mjs";
import { startServerProcess } from "../scripts/server-process.ts";
import { untilIdle } from "./cpu.ts";
import type { Waits } from "./fairness-probes.ts";
import { answers, NEIGHBOURS, type Neighbour, says, validates } from "./neighbours.ts";
import { milliseconds, printTable } from "./table.ts";

/** How long probes continue after the neighbour's response, ms. */
const AFTERWARDS_MS = 100;

/** Measures how long others wait while an expensive request runs; each on its own server. */
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
  // Code that is loaded after the start and by the first request is not attributed to the neighbour.
  await untilIdle(server.pid);
  await (await startProbes(url)).stop();
  for (const id of ["warm", "warmer"]) await says(id, "**Said**")(url);
  // The scripted model compiles its phrases, 55 ms, with its first turn.
  await answers("warm")(url);
  await validates({ type: "string" }, "a")(url);
  const probes = await startProbes(url);
  const began = performance.now();
  const answered = await neighbour.act(url).catch((error: unknown) => String(error));
  const took = performance.now() - began;
  await setTimeout(AFTERWARDS_MS);
  const waits = await probes.stop();
  const cells = [waits.health, waits.posts, waits.stream, took].map(milliseconds);
  return [neighbour.name, ...cells, answered];
}

async function startProbes(url: string): Promise<{ stop(): Promise<Waits> }> {
  const thread = new Worker(new URL("./fairness-probes.ts", import.meta.url), { workerData: url });
  await once(thread, "message");
  return {
    async stop() {
      thread.postMessage("stop");
      const [waits]: Waits[] = await once(thread, "message");
      if (!waits) throw new Error("The probes ended without saying how long they waited");
      return waits;
    },
  };
}

if (import.meta.main) {
  process.env.OBELUS_DIST_DIR ??= claimBuild();
  const [only = ""] = process.argv.slice(2);
  await benchFairness(NEIGHBOURS.filter(({ name }) => name.includes(only)));
}
