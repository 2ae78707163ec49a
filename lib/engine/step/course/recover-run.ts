import { isCallers } from "../../tools/caller-tool.ts";
import { park } from "../calls/approvals.ts";
import { delegateOf, handlerOf } from "../calls/call-target.ts";
import { leaveToCaller } from "../calls/caller-call.ts";
import { actOnDecision } from "../calls/decide.ts";
import { escalateAgain } from "../calls/escalate.ts";
import { waitToRetry } from "../calls/run-activity.ts";
import type { InputOf, Turn } from "../input.ts";
import { REASONS } from "../reasons.ts";
import { Run } from "../run.ts";
import type { RunCall } from "../state/run-call.ts";
import type { RunState } from "../state/run-state.ts";
import { placeKeyOf } from "./begin-run.ts";
import { begin } from "./direct.ts";
import { askForPlan } from "./outer-loop.ts";
import { requestTermination, watchTimeBudget } from "./request-termination.ts";
import { isOpenTurn, yieldedTo } from "./taken-over.ts";
import { closeOn } from "./termination.ts";
import { emitEscalated } from "./user-messages.ts";

/** Recovers a run from its log (P23), with its delegates' runs that have not ended. */
export function recoverRun(run: Run, { turn, manager, isNew }: InputOf<"recovered">): void {
  const wasEscalated = run.parent === null && escalateAgain(run);
  if (manager !== null && isOpenTurn(run)) requestTermination(run, yieldedTo(manager));
  takeUp(run, turn, isNew);
  if (wasEscalated) emitEscalated(run, run.state.latest);
}

function takeUp(run: Run, turn: Turn, isNew: boolean): void {
  const { state } = run;
  // A run that waits for an operator queues only when it can continue.
  const key = run.parent === null ? placeKeyOf(state) : null;
  if (key !== null) run.place = { key, held: turn === "held", begun: turn === "aside" || isNew };
  if (state.ended) return;
  // Recorded, so that the time without a process never counts as the run's, however often this happens.
  if (run.parent === null && state.status === "running" && !isNew)
    run.log.emit("run.resumed", { reason: REASONS.serverStarted() }, { caused_by: state.latest });
  closeOn(run);
  if (state.iteration === 0) begin(run, state.latest);
  else if (state.proposed === null) {
    endEarly(run);
    askForPlan(run, state.latest);
  }
  for (const call of state.calls()) {
    if (call.status === "running") takeUpRunning(run, call);
    else if (call.status === "parked") takeUpParked(run, call);
  }
  // After its delegates' runs are recovered: it may have to end them.
  if (run.parent === null) watchTimeBudget(run);
}

/** Calls that started while a plan streamed are lost with that plan: the model is asked for another. */
function endEarly(run: Run): void {
  for (const { name } of [...run.state.early.values()])
    run.log.emit("call.cancelled", { ...name, reason: REASONS.planCut() });
}

/** A started call: its attempt continues, it is run again if that is safe, or an operator is asked (P23). */
function takeUpRunning(run: Run, call: RunCall): void {
  if (call.retry !== null) {
    // No longer than the whole delay, in case the clock was set back.
    const left = Math.min(call.retry.delay, Math.max(0, call.retry.at - run.now));
    return waitToRetry(run, call, left);
  }
  const { tool, event_id: caused_by, params } = call;
  const ready = { call, tool, params: params ?? {}, confirmation_id: null, caused_by };
  const isDelegate = delegateOf(call, tool) !== null;
  const child = isDelegate && call.event_id !== null ? run.tree.found?.byStart.get(call.event_id) : undefined;
  if (child) return takeUpDelegate(run, call, child);
  // It ends with its run.
  if (run.termination !== null) return;
  const handler = isDelegate ? null : handlerOf(run, call);
  if (isCallers(handler)) return leaveToCaller(run, call);
  // A latent tool's model request has no effect outside and can be repeated.
  if (handler === null || handler?.idempotent) run.interrupted.set(call, ready);
  else park(run, ready, "interrupted");
}

/** Its run continues, or has ended and returns its result again. */
function takeUpDelegate(run: Run, call: RunCall, state: RunState): void {
  const child = new Run(run.tree, state, run.tools, { run, call });
  const waiting = state.status === "waiting";
  run.track(call, "delegate", { waiting, child });
  if (!waiting) run.slots.retake();
  run.atOnce({ kind: "open_run", run: child, input: { kind: "recovered", turn: "none", manager: null, isNew: false } });
}

/** A decided call goes on by its decision: an approved one starts; others still wait for theirs. */
function takeUpParked(run: Run, call: RunCall): void {
  const confirmation = run.state.confirmations.get(call.confirmation_id ?? "");
  if (run.termination === null && confirmation) actOnDecision(run, { call, confirmation });
}
