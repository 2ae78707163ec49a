import type { NewEvent } from "../../repositories.ts";
import type { Transaction } from "./transaction.ts";

/** Gives a conversation to a manager, or back to its agent, unless it is there already; null where there is none (D11). */
export function changeHands(
  transaction: Transaction,
  event: NewEvent & { conversation_id: string },
): { changed: boolean } | null {
  const summary = transaction.summary(event.conversation_id);
  if (!summary) return null;
  // One who was called and did not take over hands back, too: that closes the alerts.
  const changed = event.type === "conversation.taken_over" ? summary.taken_over === null : summary.escalated;
  if (changed) transaction.append(event, "person");
  return { changed };
}
