import { isKnown, type SessionEvent } from "../../lib/session/event.ts";
import type { TakenOver as Hands } from "../../lib/session/session.ts";
import { TakenOver } from "../errors.ts";

/**
 * Throws `TakenOver` for an agent's message, or the start of a turn, in a conversation that a manager has taken over
 * (D11). Checked here, because only the log orders the two.
 */
export function refuseSpeech(event: SessionEvent, { by }: Hands): void {
  if (event.conversation_id === null || !isKnown(event)) return;
  const speaks = event.type === "message.created" && event.payload.role === "assistant";
  const begins = event.type === "run.started" && event.payload.answers !== undefined;
  if (speaks || begins) throw new TakenOver(event.conversation_id, by ?? "A manager");
}
