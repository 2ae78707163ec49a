import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

/** The kernel counts CPU time in hundredths of a second on all systems that Node supports. */
const TICK_S = 0.01;

/** A server is idle if it uses no more CPU than this in this interval. */
const IDLE_SECONDS = 0.02;
const IDLE_LOOK_MS = 300;

/** The CPU time of a process with all its threads, in seconds; null if not available. */
export function cpuSeconds(pid: number): number | null {
  if (process.platform !== "linux") return null;
  const [user = 0, system = 0] = ticksOf(pid);
  return (user + system) * TICK_S;
}

/** The CPU time of a process, of the children that it has, and of those that have ended, in seconds; null if not available. */
export function cpuSecondsOfFamily(pid: number): number | null {
  if (process.platform !== "linux") return null;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  const ticks = [...ticksOf(pid), ...children.flatMap((child) => ticksOf(child).slice(0, 2))];
  return ticks.reduce((sum, one) => sum + one, 0) * TICK_S;
}

/** Waits until the process is idle. */
export async function untilIdle(pid: number): Promise<void> {
  for (let used = Number.POSITIVE_INFINITY; used > IDLE_SECONDS; ) {
    const before = cpuSeconds(pid) ?? 0;
    await setTimeout(IDLE_LOOK_MS);
    used = (cpuSeconds(pid) ?? 0) - before;
  }
}

/** User and system time, then those of children that have ended; zeros for a process that has ended. */
function ticksOf(pid: number): number[] {
  try {
    // Its second field is a name in parentheses, which may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return fields.slice(11, 15).map(Number);
  } catch {
    return [0, 0, 0, 0];
  }
}
