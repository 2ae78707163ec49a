import type { EventOf } from "../../event.ts";
import { cite } from "../../json/cite.ts";
import { isSameJson } from "../../json/json.ts";
import { callKey } from "../../keys.ts";
import type { Folding } from "../../reducer/folding.ts";
import { hasRoom, isOpen } from "../../runs/open-runs.ts";
import type { Call, Confirmation, DecidedStatus, Summary } from "../../session.ts";
import { callColumns, ERASED, type EventDefinition, type Family, PLACE, RECORDED } from "./family.ts";

type ConfirmationType =
  | "confirmation.requested"
  | "confirmation.partially_approved"
  | "confirmation.approved"
  | "confirmation.denied";
type Requested = EventOf<"confirmation.requested">;
type PartlyApproved = EventOf<"confirmation.partially_approved">;
type Decided = EventOf<"confirmation.approved" | "confirmation.denied">;

const DECISION = {
  ...RECORDED,
  steers: true,
  structure: {
    confirmation_id: "id",
    ...PLACE,
    action: { of: { method: "kept", params: { put: {} } } },
    cause: "kept",
    decided_by: "actor",
  },
  columns: callColumns,
} as const satisfies Partial<EventDefinition<ConfirmationType>>;

/** An approval is requested or decided. The first decision counts. */
export const CONFIRMATION_EVENTS = {
  "confirmation.requested": {
    ...DECISION,
    stop: "approval",
    // Requests approval, the purpose for which external agents record it. A decision names the request that was seen.
    authority: "ingest",
    structure: { ...DECISION.structure, key: { put: ERASED }, approvals: "kept" },
    fold: request,
    summarize: summarizeRequest,
  },
  "confirmation.partially_approved": {
    ...RECORDED,
    structure: { confirmation_id: "id", ...PLACE, decided_by: "actor" },
    columns: callColumns,
    authority: "decide",
    fold: approveInPart,
  },
  "confirmation.approved": {
    ...DECISION,
    authority: "decide",
    fold: (folding, event) => decide(folding, event, "approved"),
    summarize: (summary, event) => summarizeDecision(summary, event, "approved"),
  },
  "confirmation.denied": {
    ...DECISION,
    authority: "decide",
    fold: (folding, event) => decide(folding, event, "denied"),
    summarize: (summary, event) => summarizeDecision(summary, event, "denied"),
  },
} as const satisfies Family<ConfirmationType>;

function request(folding: Folding, event: Requested): void {
  const run = folding.runOf(event);
  const { confirmation_id, key, call_id, action, before, description, cause } = event.payload;
  const { iteration = run.iteration, instance = "", approvals = 1 } = event.payload;
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
    ...(approvals > 1 && { approvals: { needed: approvals, given: [] } }),
  });
  const call = call_id === undefined ? null : folding.call(callKey(event.run_id, iteration, instance, call_id));
  if (call) call.confirmation_id = confirmation_id;
}

/** The call of a confirmation, copied for changes. */
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

/** Only what this server has recorded counts: an import tells what was approved elsewhere. */
function approveInPart(folding: Folding, event: PartlyApproved): void {
  if (event.recorded_by !== "server") return;
  const confirmation = folding.confirmation(event.payload.confirmation_id);
  if (confirmation?.status !== "requested" || !confirmation.approvals) return;
  const { needed, given } = confirmation.approvals;
  const by = event.payload.decided_by ?? event.actor ?? "";
  if (given.some((approval) => approval.by === by)) return;
  const at = event.occurred_at ?? event.recorded_at;
  confirmation.approvals = { needed, given: [...given, { by, at, seq: event.seq }] };
}

function decide(folding: Folding, event: Decided, status: "approved" | "denied"): void {
  const { confirmation_id, reason, decided_by, action } = event.payload;
  const confirmation = folding.confirmation(confirmation_id);
  if (!confirmation)
    return folding.warn(
      event,
      "confirmation_not_requested",
      `The confirmation ${confirmation_id} was decided without having been requested`,
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
  // The conversation now waits for its agent, not for people.
  if (folding.root.summary.awaiting.length === 0)
    for (const [id, run] of folding.root.runs) if (run.status === "waiting") goOn(folding, id);
  if (!action) return;
  const approved = { method: action.method, params: cite(event, "/action/params", action.params) };
  if (confirmation.action && !isSameJson(confirmation.action, approved)) confirmation.asked = confirmation.action;
  confirmation.action = approved;
}

function summarizeRequest(next: Summary, event: Requested): void {
  const { confirmation_id } = event.payload;
  if (!next.awaiting.includes(confirmation_id) && hasRoom(event, next.awaiting.length, "awaiting"))
    next.awaiting = [...next.awaiting, confirmation_id];
}

/** The maximum number kept; an agent that never responds could have any number. */
const UNANSWERED = 100;

function summarizeDecision(next: Summary, { run_id, payload }: Decided, decision: DecidedStatus): void {
  const { confirmation_id } = payload;
  if (!next.awaiting.includes(confirmation_id)) return;
  next.awaiting = next.awaiting.filter((id) => id !== confirmation_id);
  // Confirmations closed by the end of their run were not decided (P24), and nobody responds after the end of a turn.
  const isOver =
    payload.decided_by === "system" || (run_id !== null && run_id === next.newest_run && !isOpen(next, run_id));
  if (!isOver) next.unanswered = [...next.unanswered.slice(1 - UNANSWERED), { confirmation_id, run_id, decision }];
  // The conversation now waits for its agent, not for people.
  if (next.awaiting.length === 0)
    next.open_runs = Object.fromEntries(
      Object.entries(next.open_runs).map(([id, status]) => [id, status === "waiting" ? "running" : status]),
    );
}
