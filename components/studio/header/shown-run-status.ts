import { FORKED, SHADOW } from "@/lib/session/runs/run-reasons.ts";
import type { Run, RunStatus } from "@/lib/session/session.ts";

/**
 * A run's status with three special cases: a manager was called (D9), nothing was executed, or a fork closed it (E9).
 */
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
