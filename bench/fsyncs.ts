import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";

/**
 * Counts how often a process calls fsync or fdatasync while `work` is done. Null where strace is missing or may not
 * look. It slows the process down, so nothing else should be measured meanwhile.
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

/** Waits until the kernel says that the process is traced; false when the tracer gave up. */
async function isAttached(pid: number, tracer: ChildProcess): Promise<boolean> {
  while (tracer.exitCode === null) {
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    if (!/TracerPid:\t0\n/.test(status)) return true;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return false;
}
