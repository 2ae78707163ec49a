import { knownReason } from "@/components/format/known-reason.ts";
import type { Run } from "@/lib/session/session.ts";

/** Why an ended run has no calls; null without a run, and for one that may still make calls. */
export function whyNoCalls(
  run: Pick<Run, "status" | "reason"> | null,
): "answered" | "cancelled" | "failed" | "forked" | null {
  if (!run) return null;
  switch (run.status) {
    case "finished":
      // It only contains the edits of a fork.
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
