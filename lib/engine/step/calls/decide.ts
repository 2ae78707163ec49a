import { pointerTo } from "../../../plan/problem.ts";
import type { SchemaFault } from "../../../plan/schema/schema-checker.ts";
import type { Json } from "../../../session/json/json.ts";
import type { Decision } from "../../engine.ts";
import { InvalidInput, NotFound, Refused } from "../../errors.ts";
import { readChoice } from "../../tools/activity.ts";
import { describeFaults } from "../describe-faults.ts";
import { REASONS } from "../reasons.ts";
import type { Run } from "../run.ts";
import type { ConfirmationEvent, RunConfirmation } from "../state/apply-confirmation.ts";
import { nameOf, placeOf, type RunCall } from "../state/run-call.ts";
import type { RunState } from "../state/run-state.ts";
import { admit, paramsFaults } from "./admission.ts";
import { approvalsOf } from "./approval-policy.ts";
import { finishCall, resultError } from "./finish-call.ts";

/** Applies a decision to its call after checking it (P22, P23). Throws `NotFound`, `Refused`, `InvalidInput`. */
export function decide(run: Run, confirmationId: string, decision: Decision): void {
  const decided = recordDecision(run, confirmationId, decision);
  if (decided) actOnDecision(run, decided);
}

/**
 * Records a decision after checking it; whoever carries the run on acts on it. Returns what was decided, null if it was before.
 * Throws as `decide` does.
 */
export function recordDecision(
  run: Run,
  confirmationId: string,
  decision: Decision,
): { call: RunCall; confirmation: RunConfirmation } | null {
  const confirmation = openConfirmation(run.state, confirmationId, decision);
  if (!confirmation) return null;
  const call = run.state.call(confirmation.place);
  if (call?.status !== "parked" || run.termination !== null) {
    const why = run.termination === null ? "" : `: ${run.termination.reason}`;
    throw new Refused(`The call ${confirmation.place.call_id} is no longer waiting for approval${why}`);
  }
  if (decision.decision === "deny") deny(run, confirmation, decision);
  else approve(run, call, confirmation, decision);
  return { call, confirmation };
}

/** Takes a decision in that another replica recorded. One that this run's events had before changes nothing. */
export function takeDecision(run: Run, event: ConfirmationEvent): void {
  const confirmation = run.state.confirmations.get(event.payload.confirmation_id);
  if (confirmation?.status !== "requested") return;
  const { notes_to_keep } = run.state;
  run.state.notes_to_keep = [];
  run.state.apply(event);
  // It is in the user's memory: it was recorded with it.
  run.state.notes_to_keep = notes_to_keep;
  const call = run.state.call(confirmation.place);
  if (call && run.termination === null) actOnDecision(run, { call, confirmation });
}

/** What follows from a decision: the call starts, has the result that was entered, or is denied. */
export function actOnDecision(
  run: Run,
  { call, confirmation }: { call: RunCall; confirmation: RunConfirmation },
): void {
  const { id, status, result, event_id: caused_by } = confirmation;
  if (call.status !== "parked" || status === "requested") return;
  const actor = confirmation.decided_by ?? "system";
  if (status === "denied") {
    const reason = confirmation.reason ?? REASONS.deniedBy(actor);
    run.log.emit("call.denied", { ...nameOf(call), reason }, { actor, caused_by });
  } else if (result !== undefined) {
    const choice = readChoice(result);
    if (choice) finishCall(run, call, { ...choice, state: undefined }, { actor, caused_by });
  } else {
    const { method: tool, params } = confirmation.action;
    const ready = { call, tool, params, confirmation_id: id, caused_by };
    if (admit(run, ready)) run.slots.add(call.instance, ready);
  }
}

/**
 * The confirmation to decide; null if it was decided the same way before, which changes nothing. Throws `NotFound`, or
 * `Refused` if it was decided otherwise.
 */
export function openConfirmation(state: RunState, id: string, { decision }: Decision): RunConfirmation | null {
  const confirmation = state.confirmations.get(id);
  if (!confirmation) throw new NotFound(`The run ${state.id} has no confirmation ${id}`);
  if (confirmation.status === "requested") return confirmation;
  if (confirmation.status === DECIDED[decision]) return null;
  const first = confirmation.decided_by ?? "system";
  throw new Refused(`${first} has already ${confirmation.status} it; decisions are final`);
}

const DECIDED = { approve: "approved", deny: "denied" } as const;

function deny(run: Run, confirmation: RunConfirmation, decision: Decision): void {
  if (decision.result !== undefined)
    throw new InvalidInput("A denied call cannot have a result; approve it to record one", [
      { path: "/result", message: "is only allowed when approving" },
    ]);
  run.log.emit("confirmation.denied", wordsOf(confirmation, decision), { actor: decision.actor });
}

/** Withdraws a confirmation without a decision (M9). */
export function denyBySystem(run: Run, confirmationId: string, reason: string): void {
  const confirmation = run.state.confirmations.get(confirmationId);
  const call = confirmation && run.state.call(confirmation.place);
  if (confirmation?.status !== "requested" || call?.status !== "parked" || run.termination !== null) return;
  deny(run, confirmation, { decision: "deny", reason, action: null, result: undefined, actor: "system" });
  actOnDecision(run, { call, confirmation });
}

function approve(run: Run, call: RunCall, confirmation: RunConfirmation, decision: Decision): void {
  if (decision.result !== undefined) return approveWithResult(run, call, confirmation, decision, decision.result);
  const { method: tool, params } = decision.action ?? confirmation.action;
  if (!run.tools.tool(tool))
    throw new InvalidInput(`There is no tool ${tool}; name one that the run has`, [
      { path: "/action/method", message: "is not a tool of this run" },
    ]);
  const meta = Object.keys(params).find((name) => name.startsWith("_"));
  if (meta !== undefined)
    throw new InvalidInput(`${meta} is not a parameter; only the tool's parameters can be edited`, [
      { path: `/action/params${pointerTo([meta])}`, message: "is not a parameter" },
    ]);
  if (decision.action && approvalsOf(run, { call, tool, params }) > 1)
    throw new InvalidInput(`${tool} has to be approved by several people, as it was requested; deny this one instead`, [
      { path: "/action", message: "is not allowed for a tool that several people have to approve" },
    ]);
  const faults = paramsFaults(run, call, tool, params);
  if (faults.length > 0)
    throw new InvalidInput(describeFaults("The parameters are invalid", faults), pointTo("/action/params", faults));
  const words = wordsOf(confirmation, decision);
  const edited = decision.action ? { ...words, action: { method: tool, params } } : words;
  run.log.emit("confirmation.approved", edited, { actor: decision.actor });
}

/** An operator enters the result of an interrupted call (P23). */
function approveWithResult(
  run: Run,
  call: RunCall,
  confirmation: RunConfirmation,
  decision: Decision,
  given: Json,
): void {
  if (confirmation.cause !== "interrupted")
    throw new InvalidInput("Only an interrupted call can be given a result; approve this one to run it", [
      { path: "/result", message: "is only allowed for an interrupted call" },
    ]);
  const choice = readChoice(given);
  if (!choice)
    throw new InvalidInput('A result that chooses an alternative needs both "_path": "†state.…" and "value"', [
      { path: "/result", message: 'needs both "_path" and "value"' },
    ]);
  const result = { ...choice, state: undefined };
  const error = resultError(run, call, result);
  if (error) throw new InvalidInput(error.message, [{ path: "/result", message: error.message }]);
  const words = { ...wordsOf(confirmation, decision), result: given };
  run.log.emit("confirmation.approved", words, { actor: decision.actor });
}

function wordsOf({ id, place }: RunConfirmation, { actor, reason }: Decision) {
  const words = { confirmation_id: id, ...placeOf(place), decided_by: actor };
  return reason === null ? words : { ...words, reason };
}

function pointTo(root: string, faults: readonly SchemaFault[]): { path: string; message: string }[] {
  return faults.map(({ path, message }) => ({ path: root + pointerTo(path), message }));
}
