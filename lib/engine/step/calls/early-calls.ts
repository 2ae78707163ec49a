import type { Context } from "../../../plan/message.ts";
import { resolveValue } from "../../../plan/resolve.ts";
import { statusOfTargets } from "../../../plan/validate/targets.ts";
import { isJsonObject, isSameJson, type JsonObject } from "../../../session/json/json.ts";
import { checkPlan } from "../course/propose.ts";
import type { Run } from "../run.ts";
import { spentOf } from "../state/budget.ts";
import { earlierKey, nameOf, placeKey, type RunCall } from "../state/run-call.ts";
import { planInstances } from "../state/run-plan.ts";
import { paramsFaults } from "./admission.ts";
import { controlOf, needsApproval, reasonToPlan } from "./approval-policy.ts";
import { handlerOf } from "./call-target.ts";
import { releaseSlot } from "./release-slot.ts";
import { type EndedAttempt, launch, settleTry, stopAttempt } from "./run-activity.ts";

/** A call that started while its plan was streaming. Its result counts when the plan is valid and the call is due. */
export interface EarlyRun {
  /** As it streamed in. */
  call: RunCall;
  ticket: number;
  ended: EndedAttempt | null;
  /** The call of the plan, once it is due. */
  met: RunCall | null;
}

/**
 * Starts a call that has streamed in, if nothing that is still to come can matter to it: it is valid by itself,
 * idempotent, reads no state, needs no confirmation and ends nothing (P20).
 */
export function startEarly(run: Run, streamed: JsonObject, context: Context, caused_by: string | null): void {
  const { state, tools } = run;
  if (state.mode === "shadow" || run.termination !== null || run.root.termination !== null) return;
  // Without an id of its own it is not known yet which call it is.
  if (typeof streamed._id !== "string" || streamed._id === "") return;
  const checked = checkPlan(run.env, [streamed], tools, context, run.lineage);
  if (!checked.ok) return;
  const proposed = { iteration: state.iteration, calls: checked.plan, output: undefined };
  const plans = planInstances(proposed, checked.outputs, checked.instances, (instance) => state.scope(instance));
  for (const { calls } of plans.values()) for (const call of calls.values()) startOne(run, call, caused_by);
}

function startOne(run: Run, call: RunCall, caused_by: string | null): void {
  const { state } = run;
  const handler = handlerOf(run, call);
  if (!handler?.idempotent || call.plan.delegate !== null) return;
  if (call.plan.reads.some(({ expression }) => expression.flat().some(({ kind }) => kind === "state"))) return;
  if (call.plan.scopes.includes("state") || run.early.has(placeKey(call)) || state.earlier.has(earlierKey(call)))
    return;
  if (call.plan.output?.some((fanOut) => statusOfTargets(state.state(call.instance), fanOut) !== "free")) return;
  if (spentOf(run.root.state.settings.budget, state.use, run.now) !== null) return;
  const params = resolveValue(call.plan.parameters, state.scope(call.instance).read);
  if (!isJsonObject(params) || paramsFaults(run, call, call.tool, params).length > 0) return;
  const pending = { call, tool: call.tool, params };
  if (controlOf(run, pending) !== null) return;
  if (reasonToPlan(run, pending) !== null || needsApproval(run, pending)) return;
  if (!run.slots.takeFree()) return;
  const attempt = (state.dropped.get(placeKey(call)) ?? 0) + 1;
  const event_id = run.log.emit("call.started", { ...nameOf(call), params, attempt }, { caused_by });
  Object.assign(call, { attempt, first_attempt: attempt, params, event_id });
  const early: EarlyRun = { call, ticket: run.ticket(), ended: null, met: null };
  launch(run, { call, handler, early, ticket: early.ticket }, params);
  run.early.set(placeKey(call), early);
}

/** An early attempt has ended. It counts when its call is due. */
export function endEarly(run: Run, early: EarlyRun, ended: EndedAttempt): void {
  early.ended = ended;
  if (early.met) settleEarly(run, early, early.met);
  else waitUntilDue(run, early.call);
}

/** Before a plan is told: calls that started and do not stand in it the way they streamed in end here. */
export function dropEarly(run: Run, reason: string, kept: readonly JsonObject[] = []): void {
  const byId = new Map(kept.map((call) => [call._id, call]));
  for (const [key, early] of run.early) {
    const { call } = early;
    const planned = byId.get(call.call_id);
    if (planned && isSameJson(planned, call.json)) continue;
    run.early.delete(key);
    // One of a plan that stands ends with its calls.
    if (run.state.call(call)) continue;
    stopAttempt(run, early.ticket, reason);
    if (!early.ended) run.slots.release();
    run.log.emit("call.cancelled", { ...nameOf(call), reason }, { caused_by: call.event_id });
  }
}

/** The plan stands: what started early goes on as its calls. */
export function adoptEarly(run: Run): void {
  if (run.early.size === 0) return;
  for (const call of run.state.calls()) {
    const early = run.early.get(placeKey(call));
    if (!early) continue;
    run.inFlight.set(call, { kind: "activity", ticket: early.ticket, waiting: early.ended !== null, child: null });
  }
}

/** It has ended before its call is due: its slot is free for the calls that it waits for. */
function waitUntilDue(run: Run, call: RunCall): void {
  const planned = run.state.call(call);
  const live = planned && run.inFlight.get(planned);
  if (live) live.waiting = true;
  run.slots.release();
}

/** Whether a call of the plan started early and is not yet due. */
export function isEarly(run: Run, call: RunCall): boolean {
  return run.early.has(placeKey(call));
}

/** A call that started early ends without its result, which does not count. */
export function dropEarlyResult(run: Run, call: RunCall): void {
  const live = run.inFlight.get(call);
  if (live) stopAttempt(run, live.ticket, "The call has ended without its result");
  run.early.delete(placeKey(call));
  releaseSlot(run, call);
}

/** A call that started early is due: its result counts. */
export function adoptEarlyResult(run: Run, call: RunCall): void {
  const early = run.early.get(placeKey(call));
  if (!early) return;
  if (early.ended) settleEarly(run, early, call);
  else early.met = call;
}

function settleEarly(run: Run, { ended }: EarlyRun, call: RunCall): void {
  run.early.delete(placeKey(call));
  if (ended) settleTry(run, call, ended);
}
