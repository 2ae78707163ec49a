import type { KnownEvent } from "../../../lib/session/event.ts";
import type { Writes } from "../log/statements.ts";
import { toMs } from "../times.ts";

type Event = Extract<KnownEvent, { type: "manager.alerted" | "conversation.handed_back" }>;

/**
 * Keeps what managers are called for, until the conversation is handed back to the agent (D9, D11). What an import brings is
 * over: it calls nobody.
 */
export function projectAlert(writes: Writes, event: Event): void {
  const { conversation_id, position, id, seq, run_id } = event;
  if (conversation_id === null) return;
  const at = toMs(event.occurred_at ?? event.recorded_at);
  if (event.type === "conversation.handed_back") {
    writes.closeAlerts.run(at, event.payload.by ?? event.actor, conversation_id);
    return;
  }
  if (event.recorded_by === "import") return;
  const { text, reason = null } = event.payload;
  writes.insertAlert.run(position, id, conversation_id, seq, run_id, at, reason, text);
}
