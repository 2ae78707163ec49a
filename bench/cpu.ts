import { readFileSync } from "node:fs";

/** The kernel counts processor time in hundredths of a second, on all machines that Node runs on. */
const TICK_S = 0.01;

/** How much processor time a process has used, in seconds, all its threads together; null where the system does not tell. */
export function cpuSeconds(pid: number): number | null {
  if (process.platform !== "linux") return null;
  // Its second field is a name in brackets, which may hold spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_S;
}
