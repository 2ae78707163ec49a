import { randomUUIDv7 } from "node:crypto";
import type { Summary } from "../../lib/session/session.ts";
import type { Transaction } from "../log/transaction.ts";
import type { NewEvent } from "../repositories.ts";

/** Why open runs and calls were closed, in their events. */
const ERASED_REASON = "Erased";

/** The open runs of this server's engine in a conversation. */
export function ownRunsOf(transaction: Transaction, conversationId: string): string[] {
  return openRunsOf(transaction.summary(conversationId)).filter((id) => transaction.isOwnRun(id));
}

function openRunsOf(summary: Summary | null): string[] {
  return Object.keys(summary?.open_runs ?? {});
}

/** Ends everything that external agents left open in it, so that no confirmation for erased content is pending. */
export function endOpen(transaction: Transaction, conversationId: string): void {
  const summary = transaction.summary(conversationId);
  if (!summary) return;
  const event = (type: string, payload: NewEvent["payload"], run_id: string | null = null): NewEvent => ({
    ...{ id: randomUUIDv7(), conversation_id: conversationId, type, actor: "system", agent_id: null, run_id },
    ...{ parent_run_id: null, caused_by: null, payload, occurred_at: null },
  });
  for (const confirmation_id of summary.awaiting)
    transaction.append(event("confirmation.denied", { confirmation_id, reason: ERASED_REASON }), "server");
  // Calls that were recorded without a run are those of the run "".
  const runs = new Set([...openRunsOf(summary), ...Object.keys(summary.open_calls ?? {})].map((id) => id || null));
  for (const id of runs) transaction.append(event("run.cancelled", { reason: ERASED_REASON }, id), "server");
  if (summary.escalated) transaction.append(event("conversation.handed_back", { reason: ERASED_REASON }), "server");
}

/** Deletes an entry of agent state whose content was erased; gives the position of its event. */
export function deleteErasedState(
  transaction: Transaction,
  { agent_id, key }: { agent_id: string; key: string },
): number {
  const version = (transaction.agentState(agent_id, key)?.version ?? 0) + 1;
  const event = { id: randomUUIDv7(), conversation_id: null, type: "agent_state.deleted", actor: "system", agent_id };
  const links = { run_id: null, parent_run_id: null, caused_by: null, occurred_at: null };
  return transaction.append({ ...event, ...links, payload: { agent_id, key, version } }, "server").position;
}
