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

/** Calls that have their turn in one tick, and those that start: everybody else is served before the next ones. */
const AT_ONCE = { turns: 200, starts: 200 } as const;

type Left = Record<keyof typeof AT_ONCE, number>;

/** Brings a run on after something has happened: turns, starts, and its waiting or its end (P20, P21, P22). */
export function advance(run: Run): void {
  if (run.state.ended) return;
  if (run.termination === null && !goOnAfterWait(run)) return;
  const left: Left = { ...AT_ONCE };
  // What ends at once, without an activity, brings further turns.
  while (run.termination === null && (takeTurns(run, left) || startReady(run, left)));
  if (run.termination !== null) return finishTermination(run);
  if (left.starts === 0 || left.turns === 0) run.atOnce({ kind: "wake", run });
  // Else calls that have not had their turn would be taken to wait for nothing.
  if (left.turns > 0) rest(run);
}

/** Does what waited for the run's turn; tells whether anything may happen (M11). */
function goOnAfterWait(run: Run): boolean {
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

/** Tells whether any call had its turn. */
function takeTurns(run: Run, left: Left): boolean {
  let any = false;
  for (const [instance, progress] of run.due()) {
    const calls = run.state.plan?.get(instance)?.calls;
    const turns = progress.take(left.turns);
    left.turns -= turns.length;
    if (left.turns === 0) run.stillDue(instance);
    for (const turn of turns) {
      const call = calls?.get(turn.call.id);
      const awaited = turn.after === null ? undefined : calls?.get(turn.after);
      if (call) scheduleCall(run, call, turn, awaited?.event_id ?? run.state.planned_by);
      any = true;
    }
  }
  return any;
}

/** Starts what there are slots for; tells whether any of it ended at once. */
function startReady(run: Run, left: Left): boolean {
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

/** When nothing goes on: the iteration is over, or persons are waited for. */
function rest(run: Run): void {
  const { state } = run;
  if (run.asking !== null || state.proposed === null) return;
  if (run.held !== null) return;
  if (state.open === 0) return endIteration(run);
  const isBusy = run.slots.waiting > 0 || [...run.inFlight.values()].some(({ waiting }) => !waiting);
  if (isBusy) return;
  const parked = state.counts.get("parked") ?? 0;
  const waits = parked + [...run.inFlight.values()].filter(({ child }) => child !== null).length;
  if (waits === 0) throw new Error(`${state.open} calls of the run ${state.id} wait for nothing`);
  if (state.status !== "waiting") wait(run, waits);
}

function wait(run: Run, calls: number): void {
  run.log.emit("run.waiting", { reason: REASONS.awaitsDecisions(calls) }, { caused_by: run.state.latest });
  emitWaiting(run);
}
