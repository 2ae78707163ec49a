const SEPARATOR = "\u0000";

/** The identity of a plan in a session: its run and iteration. Events without a run share the run "". */
export function planKey(runId: string | null, iteration: number): string {
  return `${runId ?? ""}${SEPARATOR}${iteration}`;
}

/** The identity of a call in a session (P19b): run, iteration, instance ("" for none) and the call's own id. */
export function callKey(runId: string | null, iteration: number, instance: string, callId: string): string {
  return `${planKey(runId, iteration)}${SEPARATOR}${instance}${SEPARATOR}${callId}`;
}
