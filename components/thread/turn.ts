import { ENDS } from "@/components/stages/dialog-graph.ts";
import type { Run, Session } from "@/lib/session/session.ts";

/**
 * What a run does that no row shows: it is queued (M11), or its agent is thinking. Null while a call runs, during and
 * right after a decision, at the end of the main graph, or when it has ended.
 */
export function turnOf(session: Session, run: Run): "queued" | "thinking" | null {
  if (run.status === "queued") return "queued";
  if (session.summary.unanswered.some(({ run_id }) => run_id === run.id)) return null;
  if (run.status !== "running" || run.stages.at(-1)?.node === ENDS.end) return null;
  for (const { run_id, status } of session.calls.values())
    if (status === "running" && (run_id ?? "") === run.id) return null;
  return "thinking";
}
