import { dropEarly } from "./early-calls.ts";
import { cancelRun, endEscalated, failRun } from "./end-run.ts";
import { releaseSlot } from "./release-slot.ts";
import type { Termination } from "./in-flight.ts";
import { REASONS } from "./reasons.ts";
import { endingOf, nameOf, placeOf } from "./run-call.ts";
import type { Runner } from "./runner.ts";

/** The budget of a top-level run is spent: nothing further starts in it or its delegates, and it ends (P24). */
export function terminateOverBudget(root: Runner, spent: string, gently: boolean): void {
  requestTermination(root, {
    reason: REASONS.budgetSpent(spent),
    error: { code: "budget_spent", message: REASONS.budgetUsedUp(spent) },
    actor: "system",
    gently,
  });
}

/** Calls that end with their run in one tick, with their confirmations: everybody else is served before the next ones. */
const CLOSED_AT_ONCE = 200;

/** Brings a run to its end before its calls have ended. */
export function requestTermination(run: Runner, termination: Termination): void {
  const prevailing = run.termination === null ? termination : prevailingOf(run.termination, termination);
  if (prevailing === run.termination) return;
  run.termination = prevailing;
  // The next tick closes it, unless this is its own.
  run.post(() => undefined);
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

/** Closes a run on, of whose calls the process before had cancelled some. */
export function closeOn(run: Runner): void {
  if (run.state.closing !== null && !run.state.ended) requestTermination(run, run.state.closing);
}

/** Ends a run that is shut, as soon as its delegates' runs have ended, and what may come to its own end has (P24). */
export function finishTermination(run: Runner): void {
  const { termination } = run;
  if (!termination) return;
  let waits = false;
  for (const { kind, waiting, child } of run.inFlight.values()) {
    if (child && !child.state.ended) requestTermination(child, termination);
    waits ||= child !== null || (termination.gently && !waiting && (kind === "activity" || kind === "delegate"));
  }
  if (!waits) end(run, termination);
}

function end(run: Runner, { reason, error, actor, escalated }: Termination): void {
  const stop = new Error(reason);
  // A person's wish comes of nothing in the log; all else comes of what happened last.
  const caused_by = error || escalated ? (run.state.closing?.caused_by ?? run.state.latest) : null;
  run.asking?.stop(stop);
  run.asking = null;
  for (const [call, live] of [...run.inFlight]) {
    live.stop?.(stop);
    releaseSlot(run, call);
  }
  dropEarly(run, reason);
  for (const { confirmation_id } of run.slots.clear())
    if (confirmation_id !== null) run.engine.grants.delete(confirmation_id);
  const open = [...run.state.calls()].filter((call) => endingOf(call) === null);
  const calls = open.slice(0, CLOSED_AT_ONCE);
  const isLast = calls.length === open.length;
  const closed = new Set(calls.map(({ confirmation_id }) => confirmation_id));
  for (const { id, status, place } of run.state.confirmations.values()) {
    if (status !== "requested" || !(isLast || closed.has(id))) continue;
    const denied = { confirmation_id: id, ...placeOf(place), reason, decided_by: "system" };
    run.log.emit("confirmation.denied", denied, { actor: "system", caused_by });
  }
  const termination = { ...(error && { error: { ...error } }), ...(escalated && { escalated }) };
  for (const call of calls) {
    const cancelled = { ...nameOf(call), reason, ...(isLast ? {} : { closing: termination }) };
    run.log.emit("call.cancelled", cancelled, { actor, caused_by });
  }
  if (!isLast) return run.post(() => undefined);
  if (escalated) endEscalated(run, reason);
  else if (error) failRun(run, error, caused_by);
  else cancelRun(run, reason, actor);
}

/** Sees to it that the run ends when its time is spent. Asked again when it goes on: waiting costs no time. */
export function watchTimeBudget(run: Runner): void {
  const { state, engine } = run;
  const { time_ms } = state.settings.budget;
  run.unwatch?.();
  if (time_ms === undefined || state.ended) return;
  const left = time_ms - state.use.timeUntil(engine.ports.clock.now());
  if (left <= 0) return terminateOverBudget(run, `${time_ms} ms`, false);
  if (state.status === "waiting") return;
  run.unwatch = engine.ports.clock.later(left, () => run.post(() => watchTimeBudget(run)));
}
