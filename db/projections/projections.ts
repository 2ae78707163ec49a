import { isKnown, type KnownEvent, type SessionEvent } from "../../lib/session/event.ts";
import type { Summary } from "../../lib/session/session.ts";
import { statusOf } from "../../lib/session/summary.ts";
import type { Writes } from "../log/writes.ts";
import { toMs } from "../times.ts";
import { projectConfirmation } from "./project-confirmation.ts";

/**
 * What an event says beyond its own row: a message, an agent's state, what is to be confirmed, a manager called. The same on arrival, on
 * import and on rebuilding. What a fork brought along says nothing but its messages: agents' state, confirmations and
 * alerts are those of the conversation that it comes from (E9). `value` is the text of an agent's state where it was made before.
 */
export function project(writes: Writes, event: SessionEvent, value?: string): void {
  projectMessage(writes, event);
  if (event.position >= 0) projectStanding(writes, event, value);
}

/** A message's row; it is found by its conversation alone, so that it can be there before its conversation is. */
export function projectMessage(writes: Writes, event: SessionEvent): void {
  if (!isKnown(event) || event.type !== "message.created" || event.conversation_id === null) return;
  const { message_id, role, content, name, tool_call_id, metadata } = event.payload;
  writes.insertMessage.run(
    event.position,
    event.conversation_id,
    event.seq,
    message_id,
    role,
    name ?? null,
    tool_call_id ?? null,
    event.run_id,
    event.occurred_at === null ? null : toMs(event.occurred_at),
    metadata === undefined ? null : JSON.stringify(metadata),
    content,
  );
}

/** Whether an event may change what stands outside of its conversation. */
export function changesWhatStands(event: SessionEvent): boolean {
  if (!isKnown(event)) return false;
  // Most calls ask nobody.
  if (event.type === "call.started") return event.payload.confirmation_id !== undefined;
  return STANDING.has(event.type);
}

const STANDING: ReadonlySet<KnownEvent["type"]> = new Set([
  "agent_state.written",
  "agent_state.deleted",
  "manager.alerted",
  "conversation.handed_back",
  "confirmation.requested",
  "confirmation.approved",
  "confirmation.denied",
]);

/** Every type that `projectStanding` heeds. */
export const STANDING_TYPES: readonly KnownEvent["type"][] = [...STANDING, "call.started"];

/** What stands outside of its conversation: agents' state, confirmations, alerts. */
export function projectStanding(writes: Writes, event: SessionEvent, value?: string): void {
  if (!isKnown(event)) return;
  switch (event.type) {
    case "agent_state.written":
      return applyAgentState(writes, event, value ?? JSON.stringify(event.payload.value));
    case "agent_state.deleted":
      return applyAgentState(writes, event, null);
    case "manager.alerted":
    case "conversation.handed_back":
      return projectAlert(writes, event);
    case "confirmation.requested":
    case "confirmation.approved":
    case "confirmation.denied":
    case "call.started":
      return projectConfirmation(writes, event);
    default:
      return;
  }
}

type AgentStateEvent = Extract<KnownEvent, { type: "agent_state.written" | "agent_state.deleted" }>;

/** Writes an entry, or deletes it where `value` is null, unless the event tells a version that is not newer than what is there. */
function applyAgentState(
  writes: Writes,
  { payload: { agent_id, key, version: told }, recorded_at, position }: AgentStateEvent,
  value: string | null,
): void {
  const current = writes.agentState.get(agent_id, key)?.version ?? 0;
  const version = told ?? current + 1;
  if (version <= current) return;
  writes.saveAgentState.run(agent_id, key, value, version, toMs(recorded_at));
  writes.noteAgentState.run(agent_id, key, version, position);
}

/** Stores a conversation's row. `position` is that of its first event. */
export function saveConversation(writes: Writes, id: string, position: number, summary: Summary): void {
  if (summary.updated_at === null) throw new Error(`The conversation ${id} has a row but no event`);
  writes.saveConversation.run(
    position,
    id,
    summary.title,
    statusOf(summary),
    summary.channel,
    summary.stage,
    summary.agent_id,
    toMs(summary.updated_at),
    JSON.stringify(summary),
    summary.forked_from?.conversation_id ?? null,
  );
}

type Event = Extract<KnownEvent, { type: "manager.alerted" | "conversation.handed_back" }>;

/**
 * Keeps what managers are called for, until the conversation is handed back to the agent (D9, D11). What an import brings is
 * over: it calls nobody.
 */
function projectAlert(writes: Writes, event: Event): void {
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
