import { isKnown, type SessionEvent } from "../../../lib/session/event.ts";
import { Conflict } from "../../errors.ts";

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

/**
 * Throws `Conflict` for a program's event in a fork that a person made here, or brought here: what it says would be run when
 * they run the fork.
 */
export function refuseInFork({ conversation_id }: SessionEvent): never {
  throw new Conflict(
    `The conversation ${conversation_id} is a fork, in which this server and its people alone write; tell what an agent elsewhere did in a conversation of its own`,
  );
}
