import { FORKED, SHADOW } from "@/lib/session/run-reasons.ts";
import type { Run, RunStatus } from "@/lib/session/session.ts";

/** How a run is shown: one says so that ended because a manager was called (D9), that carried out nothing, or that a fork closed (E9). */
export type ShownRunStatus = RunStatus | "escalated" | "simulated" | "forked";

export function shownRunStatus({
  status,
  reason,
  simulated,
}: Pick<Run, "status" | "reason" | "simulated">): ShownRunStatus {
  if (status === "cancelled" && reason === FORKED) return "forked";
  if (status !== "finished") return status;
  if (reason === "escalated") return "escalated";
  return simulated || reason === SHADOW ? "simulated" : "finished";
}
