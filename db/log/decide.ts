import { randomUUIDv7 } from "node:crypto";
import { toConfirmation } from "../queries/confirmation-row.ts";
import type { Confirmation, Decision, NewEvent } from "../repositories.ts";
import type { Transaction } from "./transaction.ts";

/**
 * Decides a confirmation of an external agent. The first decision counts; a later one, or one for a replaced request,
 * changes nothing and returns the current state. Null if there is none.
 */
export function decide(
  transaction: Transaction,
  decision: Decision,
): { confirmation: Confirmation; counted: boolean } | null {
  const found = transaction.confirmation(decision.confirmationId);
  if (!found) return null;
  const { requested_by, ...asked } = found;
  const confirmation = toConfirmation(asked);
  if (confirmation.own) throw new Error(`The confirmation ${asked.id} is the engine's own, and the engine decides it`);
  if (confirmation.status !== "requested" || confirmation.requested_seq !== decision.requestedSeq)
    return { confirmation, counted: false };
  transaction.append(decisionEvent(confirmation, requested_by, decision), decision.by ?? "program");
  return { confirmation: standing(transaction, decision), counted: true };
}

function standing(transaction: Transaction, { confirmationId, status }: Decision): Confirmation {
  const found = transaction.confirmation(confirmationId);
  if (found?.status !== status) throw new Error(`The decision of ${confirmationId} was stored and did not reach it`);
  const { requested_by: _, ...decided } = found;
  return toConfirmation(decided);
}

function decisionEvent(confirmation: Confirmation, requestedBy: string, decision: Decision): NewEvent {
  const { id, conversation_id, run_id, call_id, iteration, instance, key } = confirmation;
  const { status, reason, action, result, actor } = decision;
  return {
    id: randomUUIDv7(),
    conversation_id,
    type: `confirmation.${status}`,
    actor,
    agent_id: null,
    run_id,
    parent_run_id: null,
    caused_by: requestedBy,
    payload: {
      confirmation_id: id,
      key,
      ...(call_id !== null && { call_id }),
      ...(iteration !== null && { iteration }),
      ...(instance !== "" && { instance }),
      ...(reason !== null && { reason }),
      ...(action && { action }),
      ...(result !== undefined && { result }),
      decided_by: actor,
    },
    occurred_at: null,
  };
}
