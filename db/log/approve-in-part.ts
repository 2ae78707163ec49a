import { randomUUIDv7 } from "node:crypto";
import { type EventOf, isKnown, type Recorder, type SessionEvent } from "../../lib/session/event.ts";
import type { Approvals } from "../../lib/session/session.ts";
import { Conflict } from "../errors.ts";
import { toConfirmation } from "../queries/confirmation-row.ts";
import type { Confirmation, NewEvent, PartialApproval } from "../repositories.ts";
import type { Transaction } from "./transaction.ts";
import type { Writes } from "./writes.ts";

/**
 * Records that somebody approves a confirmation that several people have to approve. `last`: all others have, so nothing is
 * recorded, and this one decides. `stale`: it is decided, or replaced by a newer request. Null if there is none.
 */
export function approveInPart(
  transaction: Transaction,
  approval: PartialApproval,
): { confirmation: Confirmation; outcome: "recorded" | "already" | "last" | "stale" } | null {
  const { confirmationId, actor, reason, requestedSeq } = approval;
  const found = read(transaction, confirmationId);
  if (!found) return null;
  const { confirmation, requestedBy } = found;
  if (confirmation.status !== "requested" || confirmation.requested_seq !== requestedSeq)
    return { confirmation, outcome: "stale" };
  const { approvals } = confirmation;
  if (missingAfter(approvals, actor) === 0) return { confirmation, outcome: "last" };
  if (approvals?.given.some(({ by }) => by === actor)) return { confirmation, outcome: "already" };
  transaction.append(eventOf(confirmation, requestedBy, { actor, reason }), "server");
  return { confirmation: read(transaction, confirmationId)?.confirmation ?? confirmation, outcome: "recorded" };
}

function read(transaction: Transaction, id: string): { confirmation: Confirmation; requestedBy: string } | null {
  const found = transaction.confirmation(id);
  if (!found) return null;
  const { requested_by: requestedBy, ...row } = found;
  return { confirmation: toConfirmation(row), requestedBy };
}

/** How many people are missing once this one has approved, too. */
function missingAfter(approvals: Approvals | undefined, actor: string): number {
  if (!approvals) return 0;
  return Math.max(0, approvals.needed - new Set([...approvals.given.map(({ by }) => by), actor]).size);
}

function eventOf(
  confirmation: Confirmation,
  requestedBy: string,
  { actor, reason }: { actor: string; reason: string | null },
): NewEvent {
  const { id, conversation_id, own, run_id, call_id, iteration, instance, key } = confirmation;
  return {
    ...{ id: randomUUIDv7(), conversation_id, type: "confirmation.partially_approved", actor, agent_id: null },
    // It is no event of the engine's, which carries the run on when the last one has approved.
    ...{ run_id: own ? null : run_id, parent_run_id: null, caused_by: requestedBy, occurred_at: null },
    payload: {
      ...{ confirmation_id: id, key },
      ...(call_id !== null && { call_id }),
      ...(iteration !== null && { iteration }),
      ...(instance !== "" && { instance }),
      ...(reason !== null && { reason }),
      decided_by: actor,
    },
  };
}

/**
 * Throws `Conflict` for an event that claims that somebody has approved, that asks fewer people again, or that approves what several people have to approve
 * before they have. A person's own approval after that of all others counts, of the action as it was requested.
 */
export function refuseTooFewApprovals(writes: Writes, event: SessionEvent, by: Recorder): void {
  if (!isKnown(event) || by === "server" || by === "engine") return;
  if (event.type === "confirmation.partially_approved")
    throw new Conflict(
      "confirmation.partially_approved is recorded by the server only; use POST /api/confirmations/:id/decision",
    );
  if (event.type === "confirmation.requested") return refuseEasierRequest(writes, event);
  if (event.type !== "confirmation.approved") return;
  const { confirmation_id, action, decided_by, result } = event.payload;
  const asked = writes.confirmation.get(confirmation_id);
  if (!asked || asked.approvals === null || asked.status !== "requested") return;
  // What a person has found out about an interrupted call runs nothing.
  if (asked.cause === "interrupted" && by === "person" && result !== undefined && action === undefined) return;
  const approvals: Approvals = JSON.parse(asked.approvals);
  const isLast = by === "person" && missingAfter(approvals, decided_by ?? event.actor ?? "") === 0;
  if (isLast && action === undefined && result === undefined) return;
  throw new Conflict(
    `${approvals.needed} different people have to approve ${confirmation_id}; each of them decides with POST /api/confirmations/${encodeURIComponent(confirmation_id)}/decision`,
  );
}

/** Throws `Conflict` for an event that requests a confirmation again, under the same id, of fewer people than before. */
function refuseEasierRequest(writes: Writes, { payload }: EventOf<"confirmation.requested">): void {
  const asked = writes.confirmation.get(payload.confirmation_id);
  if (!asked || asked.approvals === null) return;
  const { needed }: Approvals = JSON.parse(asked.approvals);
  const isInterruptedNow = payload.cause === "interrupted" && asked.cause !== "interrupted";
  if ((payload.approvals ?? 1) >= needed && !isInterruptedNow) return;
  throw new Conflict(
    `${payload.confirmation_id} was requested of ${needed} people; request it again with approvals: ${needed}, for the same cause, or under another id`,
  );
}
