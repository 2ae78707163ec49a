import type { Run, RunStatus } from "@/lib/session/session.ts";

/** How a run is shown: one that ended because a manager was called says so (D9). */
export type ShownRunStatus = RunStatus | "escalated";

export function shownRunStatus({ status, reason }: Pick<Run, "status" | "reason">): ShownRunStatus {
  return status === "finished" && reason === "escalated" ? "escalated" : status;
}
