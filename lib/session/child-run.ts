import type { Call, Run, Session } from "./session.ts";

/** The run that carries out a delegate's call (P27), the newest where it was tried again; null where there is none. */
export function childRunOf(session: Pick<Session, "runs">, call: Call): Run | null {
  return [...session.runs.values()].findLast((run) => isChildOf(run, call)) ?? null;
}

/** Tells whether a run carries out this very call: its iteration, its instance and the time it ran, too. */
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
