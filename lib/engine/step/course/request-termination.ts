import { REASONS } from "../reasons.ts";
import type { Run } from "../run.ts";
import type { Termination } from "../state/in-flight.ts";

/** Ends a run before its calls have ended. */
export function requestTermination(run: Run, termination: Termination): void {
  const prevailing = run.termination === null ? termination : prevailingOf(run.termination, termination);
  if (prevailing === run.termination) return;
  run.termination = prevailing;
  // The next tick closes it, unless this is its own.
  run.atOnce({ kind: "wake", run });
}

/**
 * A cancel goes before an escalation, that before a spent budget, and the first of each stands. Where the time is spent,
 * nothing is waited for any more.
 */
function prevailingOf(now: Termination, next: Termination): Termination {
  if (next.escalated && now.error) return { ...next, gently: now.gently };
  if (next.gently || !now.gently) return now;
  return now.escalated && (next.error || next.escalated) ? { ...now, gently: false } : next;
}

/** Ends a top-level run whose budget is exceeded: nothing more starts in it or its delegates (P24). */
export function terminateOverBudget(root: Run, spent: string, gently: boolean): void {
  requestTermination(root, {
    reason: REASONS.budgetSpent(spent),
    error: { code: "budget_spent", message: REASONS.budgetUsedUp(spent) },
    actor: "system",
    gently,
  });
}

/** Sets the timer for the run's time limit. Set again when the run continues: waiting does not count. */
export function watchTimeBudget(run: Run): void {
  const { state } = run;
  const { time_ms } = state.settings.budget;
  if (time_ms === undefined) return;
  run.atOnce({ kind: "watch_time", run, after_ms: null });
  if (state.ended) return;
  const left = time_ms - state.use.timeUntil(run.now);
  if (left <= 0) return terminateOverBudget(run, `${time_ms} ms`, false);
  if (state.status === "waiting") return;
  run.atOnce({ kind: "watch_time", run, after_ms: left });
}
