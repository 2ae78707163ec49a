import { scheduleCall } from "./calls/schedule-call.ts";
import { startCall } from "./calls/start-call.ts";
import { begin, direct } from "./course/direct.ts";
import { endIteration } from "./course/iteration.ts";
import { askForPlan, nextIteration } from "./course/outer-loop.ts";
import { terminateOverBudget } from "./course/request-termination.ts";
import { finishTermination } from "./course/termination.ts";
import { type Held, holdPlace, waitsForTurn } from "./course/turn-place.ts";
import { emitWaiting } from "./course/user-messages.ts";
import { REASONS } from "./reasons.ts";
import type { Run } from "./run.ts";
import { spentOf } from "./state/budget.ts";

/** Calls that are scheduled and started in one tick; other work runs before the next tick. */
const AT_ONCE = { scheduled: 200, starts: 200 } as const;

type Left = Record<keyof typeof AT_ONCE, number>;

/** Continues a run after its inputs: schedules and starts calls, or waits or ends (P20, P21, P22). */
export function advance(run: Run): void {
  if (run.state.ended) return;
  if (run.termination === null && !continueAfterTurn(run)) return;
  const left: Left = { ...AT_ONCE };
  // Calls that end at once, without an activity, may make others due.
  while (run.termination === null && (scheduleDue(run, left) || startPending(run, left)));
  if (run.termination !== null) return finishTermination(run);
  if (left.starts === 0 || left.scheduled === 0) run.atOnce({ kind: "wake", run });
  // Otherwise calls that are due would be taken to wait for nothing.
  if (left.scheduled > 0) rest(run);
}

/** Does what waited for the run's turn; returns whether the run may continue (M11). */
function continueAfterTurn(run: Run): boolean {
  const { root, held } = run;
  if (!root.place.begun) {
    holdPlace(root);
    return false;
  }
  if (held !== null && holdPlace(root)) {
    run.held = null;
    doHeld(run, held);
  }
  return true;
}

function doHeld(run: Run, { act, caused_by }: Held): void {
  switch (act) {
    case "begin":
      return begin(run, caused_by);
    case "direct":
      return direct(run, caused_by);
    case "iterate":
      return nextIteration(run, caused_by);
    case "ask":
      return askForPlan(run, caused_by);
    case "nothing":
      return;
    default:
      return act satisfies never;
  }
}

/** Schedules the calls that are due; returns whether there were any. */
function scheduleDue(run: Run, left: Left): boolean {
  let any = false;
  for (const [instance, progress] of run.due()) {
    const calls = run.state.plan?.get(instance)?.calls;
    const taken = progress.take(left.scheduled);
    left.scheduled -= taken.length;
    if (left.scheduled === 0) run.stillDue(instance);
    for (const due of taken) {
      const call = calls?.get(due.call.id);
      const last = due.after === null ? undefined : calls?.get(due.after);
      if (call) scheduleCall(run, call, due, last?.event_id ?? run.state.planned_by);
      any = true;
    }
  }
  return any;
}

/** Starts calls while slots are free; returns whether any of them ended at once. */
function startPending(run: Run, left: Left): boolean {
  for (; run.slots.waiting > 0 && left.starts > 0; left.starts -= 1) {
    const { root } = run;
    const spent = spentOf(root.state.settings.budget, root.state.use, run.now);
    if (spent !== null) {
      terminateOverBudget(root, spent, true);
      return false;
    }
    if (waitsForTurn(run, { act: "nothing", caused_by: null })) return false;
    const ready = run.slots.take();
    if (!ready) break;
    startCall(run, ready);
  }
  return run.state.endings.length > 0;
}

/** If nothing is in flight: ends the iteration, or waits for approvals. */
function rest(run: Run): void {
  const { state } = run;
  if (run.asking !== null || state.proposed === null) return;
  if (run.held !== null) return;
  if (state.open === 0) return endIteration(run);
  const isBusy = run.slots.waiting > 0 || run.inFlight.values().some(({ waiting }) => !waiting);
  if (isBusy) return;
  const parked = state.counts.get("parked") ?? 0;
  const live = [...run.inFlight.values()];
  const waits = parked + live.filter(({ child }) => child !== null).length;
  const left = live.filter(({ kind }) => kind === "caller").length;
  if (waits + left === 0) throw new Error(`${state.open} calls of the run ${state.id} wait for nothing`);
  if (state.status !== "waiting") wait(run, waits > 0 ? REASONS.awaitsDecisions(waits) : REASONS.awaitsCaller(left));
}

function wait(run: Run, reason: string): void {
  run.log.emit("run.waiting", { reason }, { caused_by: run.state.latest });
  emitWaiting(run);
}
