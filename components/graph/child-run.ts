import type { Call, Run, Session } from "@/lib/session/session.ts";

/**
 * The run that carries out a delegate's call (P27); null where there is none. Runs name the call of their parent but
 * not its instance: of several that started while the call ran, each instance takes one in the order of starting,
 * and a call that stands alone takes the newest, its last try.
 */
export function childRunOf(session: Session, runId: string, callId: string, call: Call | null): Run | null {
  const runs = [...session.runs.values()].filter((run) => run.parent_run_id === runId && run.parent_call_id === callId);
  if (runs.length <= 1 || call === null || call.started_seq === null) return runs.at(-1) ?? null;
  const from = call.started_seq;
  const to = call.ended_seq ?? Number.POSITIVE_INFINITY;
  const during = runs.filter(({ started_seq }) => started_seq >= from && started_seq <= to);
  const together = [...session.calls.values()]
    .filter((other) => (other.run_id ?? "") === runId && other.id === callId && other.started_seq !== null)
    .filter(({ started_seq, ended_seq }) => (started_seq ?? 0) <= to && (ended_seq ?? Number.POSITIVE_INFINITY) >= from)
    .sort((a, b) => (a.started_seq ?? 0) - (b.started_seq ?? 0));
  if (together.length <= 1) return during.at(-1) ?? null;
  return during[Math.min(together.indexOf(call), during.length - 1)] ?? null;
}
