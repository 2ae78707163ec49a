import { isKnown, type SessionEvent } from "../../lib/session/event.ts";
import type { Summary } from "../../lib/session/session.ts";
import { Conflict } from "../errors.ts";

/**
 * Throws `Conflict` for a program's event that would assign a conversation to another agent, or to another user, whose
 * memory its agent would then use.
 */
export function refuseAnotherOwner(event: SessionEvent, summary: Summary): void {
  if (!isKnown(event) || event.type !== "conversation.created") return;
  for (const owner of ["agent_id", "user_id"] as const) {
    const [is, told] = [summary[owner], event.payload[owner]];
    if (is === null || told === undefined || told === is) continue;
    throw new Conflict(
      `The conversation ${event.conversation_id} has the ${owner} ${is}, which a program cannot change; use another conversation for ${told}`,
    );
  }
}
