import { isKnown, type SessionEvent } from "../../lib/session/event.ts";
import { Conflict } from "../errors.ts";
import type { Writes } from "./writes.ts";

/**
 * Throws `Conflict` for a request under the id of another conversation's confirmation: whoever decides it names it by its id
 * alone, so what they see in one conversation would be decided in the other. On arrival alone: older logs have such requests,
 * of which the first one stands.
 */
export function refuseTakenConfirmation(writes: Writes, event: SessionEvent): void {
  if (!isKnown(event) || event.type !== "confirmation.requested") return;
  const { confirmation_id } = event.payload;
  const asked = writes.confirmation.get(confirmation_id);
  if (!asked || asked.conversation_id === event.conversation_id) return;
  throw new Conflict(
    `The confirmation ${confirmation_id} belongs to another conversation; use another id, or import it as a copy (?as=copy)`,
  );
}
