import type { CallPlace } from "../../engine.ts";
import { Refused } from "../../errors.ts";
import { REASONS } from "../reasons.ts";
import type { Run } from "../run.ts";
import { placeOf, type RunCall } from "../state/run-call.ts";
import { begin, DIALOG_FAILED } from "./direct.ts";
import { askForPlan } from "./outer-loop.ts";
import { watchTimeBudget } from "./request-termination.ts";

/** Retries failed calls, by default all, and the calls that were blocked by them (P24). Throws `Refused`. */
export function resumeRun(run: Run, places: readonly CallPlace[], actor: string, held: boolean): void {
  const { state } = run;
  if (state.status === "finished" || state.status === "cancelled")
    throw new Refused(`The run ${state.id} has ${state.status}; only a failed or running run can retry calls`);
  if (run.termination !== null && !state.ended)
    throw new Refused(`The run ${state.id} is ending; resume it afterwards if it failed`);
  const failed = places.length === 0 ? [...state.calls()].filter((call) => canRunAgain(run, call)) : named(run, places);
  // A failed model request can be repeated although no call has failed; so can the director's, if nothing else is left.
  const canAsk = state.status === "failed" && state.proposed === null;
  if (failed.length === 0 && !canAsk && state.error?.code !== DIALOG_FAILED)
    throw new Refused(`No call of the run ${state.id} has failed, so there is nothing to retry`);
  const again = [...failed, ...blockedBy(run, failed)];
  run.termination = null;
  // What follows the end of all calls follows again when they have ended.
  run.held = null;
  run.place.held = held;
  run.planAgain(again, () => {
    const resumed = { reason: REASONS.resumedBy(actor), calls: again.map(placeOf), ...(!held && { queued: true }) };
    run.log.emit("run.resumed", resumed, { actor });
  });
  watchTimeBudget(run);
  if (canAsk && state.iteration === 0) begin(run, state.planned_by);
  else if (canAsk) askForPlan(run, state.planned_by);
}

function named(run: Run, places: readonly CallPlace[]): RunCall[] {
  return places.map((place) => {
    const call = run.state.call(place);
    if (call && canRunAgain(run, call)) return call;
    const what = call ? `it is ${call.status}` : "the run's newest plan does not contain it";
    throw new Refused(`The call ${place.call_id} cannot be retried: ${what}`);
  });
}

/** Whether it failed unhandled, or was interrupted when its run failed. */
function canRunAgain(run: Run, { status, handled }: RunCall): boolean {
  return (status === "failed" && !handled) || (status === "cancelled" && run.state.status === "failed");
}

/** The calls that these blocked, directly or indirectly. */
function blockedBy(run: Run, failed: readonly RunCall[]): RunCall[] {
  const found = new Set<RunCall>();
  for (const instance of new Set(failed.map((call) => call.instance))) {
    const plan = run.state.plan?.get(instance);
    if (!plan) continue;
    const readers = new Map<string, string[]>();
    for (const { from, to } of plan.prepared.links) {
      const known = readers.get(from);
      if (known) known.push(to);
      else readers.set(from, [to]);
    }
    const open = failed.filter((call) => call.instance === instance).map(({ call_id }) => call_id);
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      for (const reader of readers.get(id) ?? []) {
        const call = plan.calls.get(reader);
        if (call?.status !== "blocked" || found.has(call)) continue;
        found.add(call);
        open.push(reader);
      }
    }
  }
  return [...found];
}
