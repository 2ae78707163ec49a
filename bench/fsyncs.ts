import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";

/**
 * Counts a process's calls of fsync and fdatasync during `work`. Null if strace is missing or not permitted. It slows
 * the process down, so nothing else should be measured meanwhile.
 */
export async function countFsyncs(pid: number, work: () => Promise<void>): Promise<number | null> {
  if (spawnSync("strace", ["-V"]).error) return null;
  const tracer = spawn("strace", ["-f", "-q", "-e", "trace=fsync,fdatasync", "-p", String(pid)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  tracer.stderr.on("data", (chunk) => {
    log += chunk;
  });
  if (!(await isAttached(pid, tracer))) return null;
  await work();
  const ended = once(tracer, "close");
  tracer.kill("SIGINT");
  await ended;
  return log.match(/\bf(data)?sync\(/g)?.length ?? 0;
}

/** Waits until the kernel reports that the process is traced; false if the tracer failed. */
async function isAttached(pid: number, tracer: ChildProcess): Promise<boolean> {
  while (tracer.exitCode === null) {
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    if (!/TracerPid:\t0\n/.test(status)) return true;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return false;
}
