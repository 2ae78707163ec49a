import { knownReason } from "@/components/format/known-reason.ts";
import type { Run } from "@/lib/session/session.ts";

/** Why a run that has ended made no calls; null for none, and for one that may yet make some. */
export function whyNoCalls(
  run: Pick<Run, "status" | "reason"> | null,
): "answered" | "cancelled" | "failed" | "forked" | null {
  if (!run) return null;
  switch (run.status) {
    case "finished":
      // It only holds what was edited.
      return knownReason(run.reason ?? "")?.name === "forked" ? "forked" : "answered";
    case "cancelled":
    case "failed":
      return run.status;
    case "queued":
    case "running":
    case "waiting":
      return null;
    default:
      return run.status satisfies never;
  }
}
