import { cite } from "./cite.ts";
import type { KnownEvent } from "./event.ts";
import type { Folding } from "./folding.ts";
import { isSameJson } from "./json.ts";
import { callKey } from "./keys.ts";
import type { Call, Confirmation } from "./session.ts";

type Requested = Extract<KnownEvent, { type: "confirmation.requested" }>;
type Decided = Extract<KnownEvent, { type: "confirmation.approved" | "confirmation.denied" }>;

/** A person is asked, or has answered. The first answer stands. */
export function foldConfirmation(folding: Folding, event: Requested | Decided): void {
  switch (event.type) {
    case "confirmation.requested":
      return request(folding, event);
    case "confirmation.approved":
      return decide(folding, event, "approved");
    case "confirmation.denied":
      return decide(folding, event, "denied");
    default:
      return event satisfies never;
  }
}

function request(folding: Folding, event: Requested): void {
  const run = folding.runOf(event);
  const { confirmation_id, key, call_id, action, before, description, cause } = event.payload;
  const { iteration = run.iteration, instance = "" } = event.payload;
  folding.addConfirmation({
    id: confirmation_id,
    key,
    status: "requested",
    run_id: event.run_id,
    call_id: call_id ?? null,
    iteration,
    instance,
    cause: cause ?? "risk",
    description: description ?? null,
    action: { method: action.method, params: cite(event, "/action/params", action.params) },
    asked: null,
    before: before === undefined ? null : cite(event, "/before", before),
    reason: null,
    requested_seq: event.seq,
    requested_at: event.occurred_at,
    decided_seq: null,
    decided_at: null,
    decided_by: null,
  });
  const call = call_id === undefined ? null : folding.call(callKey(event.run_id, iteration, instance, call_id));
  if (call) call.confirmation_id = confirmation_id;
}

/** The call that a confirmation is about, ready to be changed. */
function callOf(folding: Folding, { id, run_id, iteration, instance, call_id }: Confirmation): Call | null {
  const named = call_id === null ? null : folding.call(callKey(run_id, iteration, instance, call_id));
  if (named) return named;
  for (const [key, call] of folding.root.calls) if (call.confirmation_id === id) return folding.call(key);
  return null;
}

function goOn(folding: Folding, id: string): void {
  const run = folding.run(id);
  if (run) run.status = "running";
}

function decide(folding: Folding, event: Decided, status: "approved" | "denied"): void {
  const { confirmation_id, reason, decided_by, action } = event.payload;
  const confirmation = folding.confirmation(confirmation_id);
  if (!confirmation)
    return folding.warn(
      event,
      "confirmation_not_requested",
      `The confirmation ${confirmation_id} was decided, but never requested`,
    );
  if (confirmation.status !== "requested")
    return folding.warn(
      event,
      "confirmation_already_decided",
      `The confirmation ${confirmation_id} was already ${confirmation.status} at step ${confirmation.decided_seq}`,
    );
  confirmation.status = status;
  confirmation.reason = reason ?? null;
  confirmation.decided_seq = event.seq;
  confirmation.decided_at = event.occurred_at;
  confirmation.decided_by = decided_by ?? event.actor;
  const call = callOf(folding, confirmation);
  if (call?.status === "parked") call.decision = status;
  // What waited for people waits for its agent now.
  if (folding.root.summary.awaiting.length === 0)
    for (const [id, run] of folding.root.runs) if (run.status === "waiting") goOn(folding, id);
  if (!action) return;
  const approved = { method: action.method, params: cite(event, "/action/params", action.params) };
  if (confirmation.action && !isSameJson(confirmation.action, approved)) confirmation.asked = confirmation.action;
  confirmation.action = approved;
}
