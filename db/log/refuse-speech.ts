import { isKnown, type SessionEvent } from "../../lib/session/event.ts";
import type { TakenOver as Hands } from "../../lib/session/session.ts";
import { TakenOver } from "../errors.ts";

/**
 * Throws `TakenOver` for what an agent of this server would say in a conversation that a manager has, and for a turn that
 * would begin there (D11). Here, because only the log knows which of the two came first.
 */
export function refuseSpeech(event: SessionEvent, { by }: Hands): void {
  if (event.conversation_id === null || !isKnown(event)) return;
  const speaks = event.type === "message.created" && event.payload.role === "assistant";
  const begins = event.type === "run.started" && event.payload.answers !== undefined;
  if (speaks || begins) throw new TakenOver(event.conversation_id, by ?? "A manager");
}
