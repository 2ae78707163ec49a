import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { startServerProcess } from "../../scripts/server-process.ts";
import { median } from "../table.ts";
import type { Figure } from "./subject.ts";

const STARTS = 5;
/** An idle server has collected what its start has left, and ended the threads that have had nothing to do for 30 s. */
const IDLE_MS = 60_000;

/** The start time of a server with a build, and its idle memory. */
export async function measureStart(): Promise<Figure[]> {
  const times: number[] = [];
  let idle = 0;
  for (let start = 0; start < STARTS; start += 1) {
    const dataDir = await mkdtemp(join(tmpdir(), "obelus-bench-start-"));
    const began = performance.now();
    const server = await startServerProcess(dataDir, { env: { OBELUS_DEMO: "0" } });
    times.push(performance.now() - began);
    if (start === STARTS - 1) {
      await wait(IDLE_MS);
      idle = await memoryOf(server.pid);
    }
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
  return [
    {
      what: "ready after the start, the middle of 5",
      measured: `${(median(times) / 1_000).toFixed(2)} s`,
      target: "1.5 s",
    },
    { what: "memory while idle", measured: `${idle.toFixed(0)} MB`, target: "180 MB" },
  ];
}

/** A process's memory, in MB. */
export async function memoryOf(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)]);
  return (Number(stdout) * 1_024) / 1_000_000;
}
