import { endingOf } from "../../../plan/schedule/ending.ts";
import { dropEarly } from "../calls/early-calls.ts";
import { releaseSlot } from "../calls/release-slot.ts";
import { stopAttempt } from "../calls/run-activity.ts";
import type { Run } from "../run.ts";
import type { Termination } from "../state/in-flight.ts";
import { nameOf, placeOf } from "../state/run-call.ts";
import { cancelRun, endEscalated, failRun } from "./end-run.ts";
import { requestTermination } from "./request-termination.ts";

/** Calls that are ended in one tick, with their confirmations; other work runs before the next tick. */
const CLOSED_AT_ONCE = 200;

/** Continues closing a run after a restart: some of its calls are cancelled already. */
export function closeOn(run: Run): void {
  if (run.state.closing !== null && !run.state.ended) requestTermination(run, run.state.closing);
}

/** Ends a run that is shut, as soon as its delegates' runs have ended, and what may come to its own end has (P24). */
export function finishTermination(run: Run): void {
  const { termination } = run;
  if (!termination) return;
  let waits = false;
  for (const { kind, waiting, child } of run.inFlight.values()) {
    if (child && !child.state.ended) requestTermination(child, termination);
    waits ||= child !== null || (termination.gently && !waiting && (kind === "activity" || kind === "delegate"));
  }
  if (!waits) end(run, termination);
}

function end(run: Run, { reason, error, actor, escalated }: Termination): void {
  // An operator's request has no cause in the log; everything else is caused by the latest event.
  const caused_by = error || escalated ? (run.state.closing?.caused_by ?? run.state.latest) : null;
  if (run.asking) run.atOnce({ kind: "stop", run, ticket: run.asking.ticket, reason });
  run.asking = null;
  for (const [call, live] of [...run.inFlight]) {
    stopAttempt(run, live.ticket, reason);
    releaseSlot(run, call);
  }
  dropEarly(run, reason);
  for (const { confirmation_id } of run.slots.clear())
    if (confirmation_id !== null) run.atOnce({ kind: "release_grant", confirmation_id });
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
  if (!isLast) return run.atOnce({ kind: "wake", run });
  if (escalated) endEscalated(run, reason);
  else if (error) failRun(run, error, caused_by);
  else cancelRun(run, reason, actor);
}
