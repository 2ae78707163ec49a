import { rootRun, topLevelRuns } from "@/components/selection/resolve-selection.ts";
import type { Message, Run, Session } from "@/lib/session/session.ts";

/** What a run was about, for the run menu. */
export interface RunFacts {
  run: Run;
  /** Its number in the conversation, from 1. */
  number: number;
  /** The message that began it; null if it is not known. */
  message: string | null;
  /** Its calls and those of its delegates. */
  calls: number;
  /** The step of its last failed call or of its own failure; null if nothing failed. */
  failure: number | null;
}

/** The facts of all top-level runs, oldest first. */
export function runFacts(session: Session): RunFacts[] {
  const calls = new Map<string, { count: number; failure: number | null }>();
  for (const { run_id, status, handled, ended_seq } of session.calls.values()) {
    const id = rootRun(session, run_id ?? "")?.id;
    if (id === undefined) continue;
    const known = calls.get(id) ?? { count: 0, failure: null };
    const failed = status === "failed" && !handled ? ended_seq : null;
    calls.set(id, { count: known.count + 1, failure: failed ?? known.failure });
  }
  const asked = session.messages.filter(({ role }) => role === "user" || role === "operator");
  let before = 0;
  return topLevelRuns(session).map((run, index) => {
    const { count = 0, failure = null } = calls.get(run.id) ?? {};
    const began = newestBetween(asked, before, run.started_seq);
    before = run.started_seq;
    return {
      run,
      number: session.runs_before + index + 1,
      message: typeof began?.content === "string" ? began.content : null,
      calls: count,
      failure: failure ?? (run.status === "failed" ? run.ended_seq : null),
    };
  });
}

/** Messages are in order. */
function newestBetween(messages: readonly Message[], after: number, until: number): Message | undefined {
  return messages.findLast(({ seq }) => seq > after && seq <= until);
}
