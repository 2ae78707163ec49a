import { isKnown, type SessionEvent } from "../../lib/session/event.ts";
import { Conflict } from "../errors.ts";
import type { Writes } from "./writes.ts";

/**
 * Throws `Conflict` for a request with the id of another conversation's confirmation: decisions name only the id, so a
 * person who sees one conversation would decide in the other. Checked on arrival only: older logs have such requests,
 * of which the first counts.
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
