import { resolveValue } from "../../../plan/resolve.ts";
import type { DueCall } from "../../../plan/schedule/progress.ts";
import { isJsonObject, type JsonObject } from "../../../session/json/json.ts";
import type { Run } from "../run.ts";
import type { PendingStart } from "../state/in-flight.ts";
import { nameOf, type RunCall } from "../state/run-call.ts";
import { admit, endsUnstarted } from "./admission.ts";
import { needsApproval, reasonToPlan } from "./approval-policy.ts";
import { requestApproval } from "./approvals.ts";
import { adoptEarlyResult, dropEarlyResult, isEarly } from "./early-calls.ts";
import { simulateCall } from "./simulate-call.ts";

/** Schedules a call: it ends without running, waits for an approval, or may start (P12, P19b, P21, P22). */
export function scheduleCall(run: Run, call: RunCall, due: DueCall, caused_by: string | null): void {
  if (call.status !== "planned") return goOnWith(run, call);
  if (due.verdict !== "ready") {
    const type = due.verdict === "skipped" ? "call.skipped" : "call.blocked";
    run.log.emit(type, { ...nameOf(call), reason: due.reason ?? "" }, { caused_by });
    return;
  }
  const ready = { call, tool: call.tool, params: paramsOf(run, call), confirmation_id: null, caused_by };
  if (!admit(run, ready)) return;
  if (run.state.settings.simulated) return simulateCall(run, ready);
  const stays = reasonToPlan(run, ready);
  if (stays !== null) {
    const { tool, params } = ready;
    run.log.emit("call.skipped", { ...nameOf(call), tool, params, reason: stays, planned: true }, { caused_by });
  } else if (needsApproval(run, ready)) requestApproval(run, ready);
  else run.slots.add(call.instance, ready);
}

/** Schedules a call that has already started: while its plan was streaming, or before a restart. */
function goOnWith(run: Run, call: RunCall): void {
  const ready = run.interrupted.get(call);
  run.interrupted.delete(call);
  if (ready) return startAgain(run, ready);
  const { params, event_id: caused_by } = call;
  if (!isEarly(run, call) || params === null) return;
  if (endsUnstarted(run, { call, tool: call.tool, params, confirmation_id: null, caused_by }))
    dropEarlyResult(run, call);
  else adoptEarlyResult(run, call);
}

/** A call that a restart interrupted; if its tool requires approval now, it is requested first. */
function startAgain(run: Run, ready: PendingStart): void {
  if (!admit(run, ready)) return;
  if (ready.call.confirmation_id === null && needsApproval(run, ready)) requestApproval(run, ready);
  else run.slots.add(ready.call.instance, ready);
}

/** A call's parameters with resolved references, by value (P8). */
function paramsOf(run: Run, call: RunCall): JsonObject {
  const params = resolveValue(call.plan.parameters, run.state.scope(call.instance).read);
  if (!isJsonObject(params)) throw new Error(`The parameters of ${call.call_id} are no object`);
  return params;
}
