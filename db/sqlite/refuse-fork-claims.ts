import { isKnown, type SessionEvent } from "../../lib/session/event.ts";
import { Conflict } from "../errors.ts";

/**
 * Throws `Conflict` for an event from outside that would make a conversation which exists a fork, or tells what a fork does
 * with its calls (E9): whether calls have effects in a conversation, and whose memory it has, is decided by this server.
 */
export function refuseForkClaims(event: SessionEvent, exists: boolean): void {
  if (!isKnown(event)) return;
  if (event.type === "fork.mode_changed")
    throw new Conflict(
      "fork.mode_changed is told by this server alone; use POST /api/conversations/:id/fork/mode, which records it",
    );
  if (event.type === "conversation.created" && event.payload.forked_from && exists)
    throw new Conflict(
      `The conversation ${event.conversation_id} exists, and only a new one can be a fork; use POST /api/conversations/:id/fork`,
    );
}
