import type { KnownEvent } from "../../lib/session/event.ts";
import { cite } from "../../lib/session/json/cite.ts";
import type { Approvals } from "../../lib/session/session.ts";
import type { Writes } from "../log/writes.ts";
import { toMs } from "../times.ts";
import { actionKey } from "./action-key.ts";

type Requested = Extract<KnownEvent, { type: "confirmation.requested" }>;
type PartlyApproved = Extract<KnownEvent, { type: "confirmation.partially_approved" }>;
type Decided = Extract<KnownEvent, { type: "confirmation.approved" | "confirmation.denied" }>;
type Started = Extract<KnownEvent, { type: "call.started" }>;

/**
 * Projects confirmations as the view has them (E4): of an id the newest request counts, of decisions the first. An
 * event only changes confirmations of its own conversation and origin, so that no external event decides one of the
 * engine (P22a).
 */
export function projectConfirmation(writes: Writes, event: Requested | PartlyApproved | Decided | Started): void {
  const { conversation_id, payload, recorded_by } = event;
  if (conversation_id === null || payload.confirmation_id === undefined) return;
  const place = [payload.confirmation_id, conversation_id, recorded_by === "engine" ? 1 : 0] as const;
  switch (event.type) {
    case "confirmation.requested":
      writes.forgetConfirmation.run(...place);
      return request(writes, event, place);
    case "confirmation.partially_approved":
      return approveInPart(writes, event);
    case "confirmation.approved":
      return decide(writes, event, "approved", place);
    case "confirmation.denied":
      return decide(writes, event, "denied", place);
    case "call.started":
      writes.useApproval.run(event.position, ...place);
      return;
    default:
      return event satisfies never;
  }
}

type Place = readonly [id: string, conversationId: string, own: 0 | 1];

function request(writes: Writes, event: Requested, place: Place): void {
  const { call_id, iteration, instance, key, cause, description, action, before, approvals = 1 } = event.payload;
  writes.insertConfirmation.run(
    event.position,
    ...place,
    event.run_id,
    call_id ?? null,
    iteration ?? null,
    instance ?? "",
    key,
    cause ?? "risk",
    actionKey(action),
    event.seq,
    timeOf(event),
    description ?? null,
    actionText(event, action),
    before === undefined ? null : JSON.stringify(cite(event, "/before", before)),
    approvals > 1 ? JSON.stringify({ needed: approvals, given: [] } satisfies Approvals) : null,
  );
}

/** Only what this server has recorded counts: an import tells what was approved elsewhere. */
function approveInPart(writes: Writes, event: PartlyApproved): void {
  const { recorded_by, payload, actor, seq, occurred_at, recorded_at } = event;
  const asked = writes.confirmation.get(payload.confirmation_id);
  if (recorded_by !== "server" || asked?.conversation_id !== event.conversation_id || asked.approvals === null) return;
  const { needed, given }: Approvals = JSON.parse(asked.approvals);
  const approval = { by: payload.decided_by ?? actor ?? "", at: occurred_at ?? recorded_at, seq };
  const approvals: Approvals = { needed, given: [...given, approval] };
  writes.approveInPart.run(JSON.stringify(approvals), asked.id, asked.conversation_id, asked.own);
}

function decide(writes: Writes, event: Decided, status: "approved" | "denied", place: Place): void {
  const { action, reason, decided_by, result } = event.payload;
  writes.decideConfirmation.run(
    status,
    reason ?? null,
    event.seq,
    timeOf(event),
    decided_by ?? event.actor,
    // A result entered by a person replaces the execution (P23): no approval is left to use.
    result === undefined ? null : event.position,
    action ? actionText(event, action) : null,
    action ? actionKey(action) : null,
    ...place,
  );
}

/** The action for lists, in which large values are replaced by references to its event (E8). */
function actionText(event: Requested | Decided, { method, params }: Requested["payload"]["action"]): string {
  return JSON.stringify({ method, params: cite(event, "/action/params", params) });
}

function timeOf(event: Requested | Decided): number {
  return toMs(event.occurred_at ?? event.recorded_at);
}
