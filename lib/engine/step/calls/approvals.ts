import { isSameJson, type JsonObject } from "../../../session/json/json.ts";
import type { Awaited, Input } from "../input.ts";
import { REASONS } from "../reasons.ts";
import type { Run } from "../run.ts";
import type { RunConfirmation } from "../state/apply-confirmation.ts";
import type { PendingStart } from "../state/in-flight.ts";
import { nameOf, placeOf, type RunCall } from "../state/run-call.ts";
import { actionOf, approvalsOf, descriptionOf, guardOf, type PendingAction } from "./approval-policy.ts";
import { denyBySystem } from "./decide.ts";

/** Looks up an approval of the same action of an ended run (P22a); without one, approval is requested. */
export function requestApproval(run: Run, ready: PendingStart): void {
  const { call } = ready;
  const denial = deniedBefore(run, ready);
  if (denial) {
    const reason = REASONS.deniedBefore(denial.decided_by ?? "system");
    run.log.emit("call.denied", { ...nameOf(call), reason }, { caused_by: denial.event_id });
    return;
  }
  const ticket = run.track(call, "approval");
  run.lookups.set(ticket, ready);
  run.after({ kind: "find_approval", ticket, pending: ready });
}

/** The result of the lookup: a usable approval, or the description for the operator. */
export function takeApproval(run: Run, found: Extract<Input, { kind: "approval_found" }>): void {
  const { ticket, grant, before, others } = found;
  const ready = run.lookups.get(ticket);
  run.lookups.delete(ticket);
  if (!ready || !run.isLive(ready.call, ticket)) {
    if (grant !== null) run.atOnce({ kind: "release_grant", confirmation_id: grant });
    return;
  }
  run.inFlight.delete(ready.call);
  if (grant === null) return ask(run, ready, before, others);
  run.slots.add(ready.call.instance, { ...ready, confirmation_id: grant });
}

/** Requests approval, unless one is pending for the same action; withdraws other requests with its key (M9). */
function ask(run: Run, ready: PendingStart, before: JsonObject | null, others: readonly Awaited[]): void {
  const action = actionOf(run, ready);
  const key = keyFor(run, ready);
  const own = run.state.settings.user_scope === null ? [] : awaitedIn(run).filter((each) => each.key === key);
  const elsewhere = others.filter((each) => each.key === key);
  const same = [...own, ...elsewhere].find((awaited) => isSameJson({ ...awaited.action }, action));
  if (same) {
    const reason = REASONS.sameAwaits(same.key);
    run.log.emit("call.skipped", { ...nameOf(ready.call), reason }, { caused_by: ready.caused_by });
    return;
  }
  const reason = REASONS.replaced(descriptionOf(run, ready));
  for (const confirmation of own) denyBySystem(run, confirmation.id, reason);
  // Only when this one is on disk, so that one of them always exists.
  for (const { run_id, id } of elsewhere)
    run.after({ kind: "send", to: run_id, input: { kind: "withdraw", confirmation_id: id, reason } });
  park(run, ready, "risk", before);
}

/** The pending confirmations of a run. */
export function awaitedIn({ state }: Run): RunConfirmation[] {
  return [...state.confirmations.values()].filter(({ status }) => status === "requested");
}

/** The catalogue's limit of keys; a longer one is replaced by its hash. */
const LONGEST_KEY = 500;

/** The key of a confirmation (M9): its tool and its call. */
function keyFor(run: Run, pending: PendingAction): string {
  const key = guardOf(run, pending)?.keyOf(pending.params) ?? `${pending.tool}_${pathOf(run, pending.call)}`;
  return key.length <= LONGEST_KEY ? key : run.env.digest(key);
}

/** Identifies a call; in a delegate's run with the calls that lead to it: two delegates may run the same plan. */
function pathOf({ parent }: Run, { call_id, instance }: RunCall): string {
  const own = instance === "" ? call_id : `${call_id}_${instance}`;
  return parent ? `${pathOf(parent.run, parent.call)}.${own}` : own;
}

/** A denied action stays denied for its run: if the model proposes it again, approval is not requested again (M9). */
function deniedBefore(run: Run, ready: PendingStart): RunConfirmation | undefined {
  const { call } = ready;
  const wanted = actionOf(run, ready);
  return [...run.state.confirmations.values()].find(
    ({ status, place, action }) =>
      status === "denied" &&
      place.iteration < call.iteration &&
      place.instance === call.instance &&
      isSameJson({ ...action }, wanted),
  );
}

/** Parks a call and requests approval (P22, P23). */
export function park(
  run: Run,
  pending: Omit<PendingStart, "confirmation_id">,
  cause: "risk" | "interrupted",
  before: JsonObject | null = null,
): void {
  const { call, tool, params, caused_by } = pending;
  const confirmation_id = run.tree.ids.next();
  const reason = cause === "risk" ? "confirmation" : "interrupted";
  const approvals = approvalsOf(run, pending);
  const parked = run.log.emit("call.parked", { ...nameOf(call), tool, params, reason, confirmation_id }, { caused_by });
  const asked = {
    confirmation_id,
    key: keyFor(run, pending),
    ...placeOf(call),
    action: actionOf(run, pending),
    description: cause === "risk" ? descriptionOf(run, pending) : describeInterrupted(call),
    cause,
    ...(before === null ? {} : { before }),
    ...(approvals > 1 && { approvals }),
  };
  run.log.emit("confirmation.requested", asked, { caused_by: parked });
}

function describeInterrupted(call: RunCall): string {
  const times = call.attempt === 1 ? "once" : `${call.attempt} times`;
  return (
    `${call.tool} had started (${times} in all) when the server stopped, and returned no result; whether it took effect is ` +
    "unknown. Approve to run it again, deny to leave it, or enter the result that you find"
  );
}
