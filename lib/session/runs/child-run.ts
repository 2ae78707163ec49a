import type { Call, Run, Session } from "../session.ts";

/** The run of a delegate's call (P27), the newest if it was retried; null for none. */
export function childRunOf(session: Pick<Session, "runs">, call: Call): Run | null {
  return [...session.runs.values()].findLast((run) => isChildOf(run, call)) ?? null;
}

/** Whether a run belongs to this call: its iteration, instance and attempt, too. */
export function isChildOf(run: Run, call: Call): boolean {
  return (
    run.parent_call_id === call.id &&
    run.parent_run_id === call.run_id &&
    (run.parent_instance === "" || run.parent_instance === call.instance) &&
    call.started_seq !== null &&
    call.started_seq <= run.started_seq &&
    (call.ended_seq === null || run.started_seq <= call.ended_seq)
  );
}
