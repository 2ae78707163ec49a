import { createHash, randomUUIDv7 } from "node:crypto";
import { isSameJson, type JsonObject } from "../../session/json.ts";
import type { Grant } from "../journal.ts";
import type { RunConfirmation } from "./apply-confirmation.ts";
import { actionOf, descriptionOf, guardOf, type PendingAction } from "./approval-policy.ts";
import { denyBySystem } from "./decide.ts";
import type { InFlightCall, PendingStart } from "./in-flight.ts";
import { REASONS } from "./reasons.ts";
import { nameOf, placeOf, type RunCall } from "./run-call.ts";
import type { Runner } from "./runner.ts";

/** Looks for an approval that was given to the same action of a run that is gone (P22a); without one, a person is asked. */
export function requestApproval(run: Runner, ready: PendingStart): void {
  const { call } = ready;
  const denial = deniedBefore(run, ready);
  if (denial) {
    const reason = REASONS.deniedBefore(denial.decided_by ?? "system");
    run.log.emit("call.denied", { ...nameOf(call), reason }, { caused_by: denial.event_id });
    return;
  }
  const controller = new AbortController();
  const live: InFlightCall = {
    kind: "approval",
    waiting: false,
    child: null,
    stop: (reason) => controller.abort(reason),
  };
  run.inFlight.set(call, live);
  run.after(() => {
    lookUp(run, ready, controller.signal).then(({ grant, before }) =>
      run.post(() => {
        if (run.inFlight.get(call) !== live) return;
        run.inFlight.delete(call);
        if (grant === null || run.engine.grants.has(grant.confirmation_id)) return ask(run, ready, before);
        run.engine.grants.add(grant.confirmation_id);
        run.slots.add(call.instance, { ...ready, confirmation_id: grant.confirmation_id });
      }),
    );
  });
}

/** An approval that was given to the same action before; without one, what a person wants to know of it. */
async function lookUp(
  run: Runner,
  ready: PendingStart,
  signal: AbortSignal,
): Promise<{ grant: Grant | null; before: JsonObject | null }> {
  const { journal, logger } = run.engine.ports;
  const { id: run_id, conversation_id } = run.state;
  try {
    const grant = await journal.unusedApproval(conversation_id, actionOf(run, ready));
    if (grant !== null) return { grant, before: null };
  } catch (error) {
    logger.warn({ err: error, run_id, conversation_id }, "Earlier approvals could not be looked up; a person is asked");
  }
  try {
    return { grant: null, before: (await guardOf(run, ready)?.before(ready.params, signal)) ?? null };
  } catch (error) {
    const place = { run_id, conversation_id, tool: ready.tool };
    logger.warn({ err: error, ...place }, "The values before a change could not be read");
    return { grant: null, before: null };
  }
}

/** Asks a person, unless the same action awaits a decision; what else is asked under its key is not wanted any more (M9). */
function ask(run: Runner, ready: PendingStart, before: JsonObject | null): void {
  const action = actionOf(run, ready);
  const rivals = awaitedUnder(run, keyFor(run, ready));
  const same = rivals.find(({ confirmation }) => isSameJson({ ...confirmation.action }, action));
  if (same) {
    const reason = REASONS.sameAwaits(same.confirmation.key);
    run.log.emit("call.skipped", { ...nameOf(ready.call), reason }, { caused_by: ready.caused_by });
    return;
  }
  for (const { of, confirmation } of rivals) {
    const reason = REASONS.replaced(descriptionOf(run, ready));
    if (of === run) denyBySystem(run, confirmation, reason);
    // When this one is on disk, so that one of them is there in any case.
    else run.after(() => of.post(() => denyBySystem(of, confirmation, reason)));
  }
  park(run, ready, "risk", before);
}

/** What runs of the same user await under a key. */
function awaitedUnder(run: Runner, key: string): { of: Runner; confirmation: RunConfirmation }[] {
  const { user_scope } = run.state.settings;
  if (user_scope === null) return [];
  return [...run.engine.runners.values()].flatMap((of) =>
    of.state.settings.user_scope === user_scope
      ? [...of.state.confirmations.values()]
          .filter((confirmation) => confirmation.status === "requested" && confirmation.key === key)
          .map((confirmation) => ({ of, confirmation }))
      : [],
  );
}

/** The catalogue takes no longer key; a longer one is told by its hash. */
const LONGEST_KEY = 500;

/** What a person knows the confirmation by (M9): which tool asks, for which call. */
function keyFor(run: Runner, pending: PendingAction): string {
  const key = guardOf(run, pending)?.keyOf(pending.params) ?? `${pending.tool}_${pathOf(run, pending.call)}`;
  return key.length <= LONGEST_KEY ? key : createHash("sha256").update(key).digest("hex");
}

/** Which call it is, of a delegate's run by the calls that lead there: two delegates may run the same plan. */
function pathOf({ parent }: Runner, { call_id, instance }: RunCall): string {
  const own = instance === "" ? call_id : `${call_id}_${instance}`;
  return parent ? `${pathOf(parent.run, parent.call)}.${own}` : own;
}

/** What a person denied stays denied for that run: a model that proposes it again does not ask again (M9). */
function deniedBefore(run: Runner, ready: PendingStart): RunConfirmation | undefined {
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

/** Parks a call and asks a person (P22, P23). */
export function park(
  run: Runner,
  pending: Omit<PendingStart, "confirmation_id">,
  cause: "risk" | "interrupted",
  before: JsonObject | null = null,
): void {
  const { call, tool, params, caused_by } = pending;
  const confirmation_id = randomUUIDv7();
  const reason = cause === "risk" ? "confirmation" : "interrupted";
  const parked = run.log.emit("call.parked", { ...nameOf(call), tool, params, reason, confirmation_id }, { caused_by });
  const asked = {
    confirmation_id,
    key: keyFor(run, pending),
    ...placeOf(call),
    action: actionOf(run, pending),
    description: cause === "risk" ? descriptionOf(run, pending) : describeInterrupted(call),
    cause,
    ...(before === null ? {} : { before }),
  };
  run.log.emit("confirmation.requested", asked, { caused_by: parked });
}

function describeInterrupted(call: RunCall): string {
  const times = call.attempt === 1 ? "once" : `${call.attempt} times`;
  return (
    `${call.tool} had started (${times} in all) when the server stopped, and gave no answer; whether it happened is not ` +
    "known. Approve to run it again, deny to leave it, or give the result that you find"
  );
}
