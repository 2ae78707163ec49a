import { isKnown, type KnownEvent, type SessionEvent } from "../../lib/session/event.ts";
import { isEventType } from "../../lib/session/events/kinds.ts";
import { isJsonObject } from "../../lib/session/json/json.ts";
import type { Summary } from "../../lib/session/session.ts";
import { statusOf } from "../../lib/session/summary/summary.ts";
import type { Writes } from "../log/writes.ts";
import { toMs } from "../times.ts";
import { projectConfirmation } from "./project-confirmation.ts";

/**
 * Applies an event to the projections: messages, agent state, confirmations, alerts. The same on arrival, import and
 * rebuild. Of a fork's history only messages are projected: agent state, confirmations and alerts belong to the source
 * conversation (E9). `value` is the serialized agent state, if available.
 */
export function project(writes: Writes, event: SessionEvent, value?: string): void {
  projectMessage(writes, event);
  if (event.position >= 0) projectStanding(writes, event, value);
}

/** A message's row. It is keyed by its conversation only, so that it can be stored before the conversation's row. */
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

/** Whether an event may change the global projections. */
export function changesWhatStands({ type, payload }: Pick<SessionEvent, "type" | "payload">): boolean {
  if (!isEventType(type)) return false;
  // Most calls request no approval.
  if (type === "call.started") return isJsonObject(payload) && payload.confirmation_id !== undefined;
  return STANDING.has(type);
}

const STANDING: ReadonlySet<KnownEvent["type"]> = new Set([
  "agent_state.written",
  "agent_state.deleted",
  "manager.alerted",
  "conversation.handed_back",
  "confirmation.requested",
  "confirmation.partially_approved",
  "confirmation.approved",
  "confirmation.denied",
]);

/** The event types that `projectStanding` handles. */
export const STANDING_TYPES: readonly KnownEvent["type"][] = [...STANDING, "call.started"];

/** The global projections: agent state, confirmations, alerts. */
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
    case "confirmation.partially_approved":
    case "confirmation.approved":
    case "confirmation.denied":
    case "call.started":
      return projectConfirmation(writes, event);
    default:
      return;
  }
}

type AgentStateEvent = Extract<KnownEvent, { type: "agent_state.written" | "agent_state.deleted" }>;

/** Writes an entry, or deletes it if `value` is null, unless the event's version is not newer than the current one. */
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

/** Saves a conversation's row. `position` is that of its first event. */
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

/** Stores alerts until the conversation is handed back (D9, D11). Imported alerts are history: they notify nobody. */
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
