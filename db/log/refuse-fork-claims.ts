import { isKnown, type SessionEvent } from "../../lib/session/event.ts";
import { Conflict } from "../errors.ts";

/**
 * Throws `Conflict` for an external event that would turn an existing conversation into a fork, or change whether a
 * fork executes its calls (E9): only this server decides whether calls have effects, and whose memory a conversation
 * uses.
 */
export function refuseForkClaims(event: SessionEvent, exists: boolean): void {
  if (!isKnown(event)) return;
  if (event.type === "fork.mode_changed")
    throw new Conflict("fork.mode_changed is recorded by the server only; use POST /api/conversations/:id/fork/mode");
  if (event.type === "conversation.created" && event.payload.forked_from && exists)
    throw new Conflict(
      `The conversation ${event.conversation_id} already exists and cannot become a fork; use POST /api/conversations/:id/fork`,
    );
}

/**
 * Throws `Conflict` for a program's event in a fork that a person created or imported here: running the fork would run
 * it.
 */
export function refuseInFork({ conversation_id }: SessionEvent): never {
  throw new Conflict(
    `The conversation ${conversation_id} is a fork, which programs cannot write to; record external agents in another conversation`,
  );
}
