import { isKnown, type SessionEvent } from "../../lib/session/event.ts";
import type { Summary } from "../../lib/session/session.ts";
import { statusOf } from "../../lib/session/summary.ts";
import type { Writes } from "./statements.ts";
import { toMs } from "./times.ts";

/** What an event says beyond its own row: a message, or an agent's state. The same on arrival and on rebuilding. */
export function project(writes: Writes, event: SessionEvent): void {
  if (!isKnown(event)) return;
  switch (event.type) {
    case "message.created": {
      const { message_id, role, content, name, tool_call_id, metadata } = event.payload;
      if (event.conversation_id === null) return;
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
      return;
    }
    case "agent_state.written":
      return applyAgentState(writes, event.payload, JSON.stringify(event.payload.value), event.recorded_at);
    case "agent_state.deleted":
      return applyAgentState(writes, event.payload, null, event.recorded_at);
    default:
      return;
  }
}

/** Writes an entry, or deletes it where `value` is null, unless the event tells a version that is not newer than what is there. */
function applyAgentState(
  writes: Writes,
  entry: { agent_id: string; key: string; version?: number },
  value: string | null,
  at: string,
): void {
  const current = writes.agentState.get(entry.agent_id, entry.key)?.version ?? 0;
  const version = entry.version ?? current + 1;
  if (version <= current) return;
  writes.saveAgentState.run(entry.agent_id, entry.key, value, version, toMs(at));
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
  );
}
