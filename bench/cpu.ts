import { readFileSync } from "node:fs";

/** The kernel counts CPU time in hundredths of a second on all systems that Node supports. */
const TICK_S = 0.01;

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
