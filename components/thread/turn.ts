import { ENDS } from "@/components/stages/dialog-graph.ts";
import type { Run, Session } from "@/lib/session/session.ts";

/**
 * What a run does that no row of the thread shows: it waits for an earlier turn of its user (M11), or its agent thinks.
 * Null while a call of it runs, a person is asked or has just answered, it has come to the end of the main graph, or it is over.
 */
export function turnOf(session: Session, run: Run): "queued" | "thinking" | null {
  if (run.status === "queued") return "queued";
  if (session.summary.unanswered.some(({ run_id }) => run_id === run.id)) return null;
  if (run.status !== "running" || run.stages.at(-1)?.node === ENDS.end) return null;
  for (const { run_id, status } of session.calls.values())
    if (status === "running" && (run_id ?? "") === run.id) return null;
  return "thinking";
}
