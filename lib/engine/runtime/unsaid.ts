import type { NewEvent } from "../../../db/repositories.ts";
import { isJsonObject } from "../../session/json/json.ts";
import { isTakenOver } from "../errors.ts";
import { ESCALATED } from "../step/reasons.ts";
import type { Runner } from "./runner.ts";

/** The manager whose takeover made the log refuse the events; null if that is not the reason. */
export function managerOf(error: unknown): string | null {
  return isTakenOver(error) ? error.by : null;
}

/** The events without the agent's messages; a run that ends with them gets the reason. */
export function withoutSpeech(events: readonly NewEvent[], reason: string): NewEvent[] {
  return events
    .filter(({ type, payload }) => type !== "message.created" || !isJsonObject(payload) || payload.role !== "assistant")
    .map((event) =>
      event.type === "run.finished" && isJsonObject(event.payload) && event.payload.reason !== ESCALATED
        ? { ...event, payload: { ...event.payload, reason } }
        : event,
    );
}

/** The events of a step that ends the turn with an answer that is not sent: the next turn does not continue its chain. */
export function withoutChain({ engine, state }: Runner, events: readonly NewEvent[]): NewEvent[] {
  const payload = engine.ports.dialog?.chain(state.conversation_id, null);
  if (!payload) return [...events];
  return events.map((event) => (isAt(event, payload) ? { ...event, payload } : event));
}

function isAt({ type, payload }: NewEvent, { agent_id, key }: { agent_id: string; key: string }): boolean {
  if (type !== "agent_state.written" || !isJsonObject(payload)) return false;
  return payload.agent_id === agent_id && payload.key === key;
}
