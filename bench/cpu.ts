import { readFileSync } from "node:fs";

/** The kernel counts CPU time in hundredths of a second on all systems that Node supports. */
const TICK_S = 0.01;

/** The CPU time of a process with all its threads, in seconds; null if not available. */
export function cpuSeconds(pid: number): number | null {
  if (process.platform !== "linux") return null;
  // Its second field is a name in parentheses, which may contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_S;
}
