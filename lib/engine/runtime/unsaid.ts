import type { NewEvent } from "../../../db/repositories.ts";
import { isJsonObject } from "../../session/json/json.ts";
import { isTakenOver } from "../errors.ts";
import { ESCALATED } from "../step/reasons.ts";
import type { Runner } from "./runner.ts";

/** The manager for whom the log would not have an agent speak; null where that is not why it refused. */
export function managerOf(error: unknown): string | null {
  return isTakenOver(error) ? error.by : null;
}

/** Events without what the agent would have said; a run that ends with them tells why nothing was. */
export function withoutSpeech(events: readonly NewEvent[], reason: string): NewEvent[] {
  return events
    .filter(({ type, payload }) => type !== "message.created" || !isJsonObject(payload) || payload.role !== "assistant")
    .map((event) =>
      event.type === "run.finished" && isJsonObject(event.payload) && event.payload.reason !== ESCALATED
        ? { ...event, payload: { ...event.payload, reason } }
        : event,
    );
}

/** A step's events, in which the turn ends by an answer that nobody gets: the next one does not go on from it. */
export function withoutChain({ engine, state }: Runner, events: readonly NewEvent[]): NewEvent[] {
  const payload = engine.ports.dialog?.chain(state.conversation_id, null);
  if (!payload) return [...events];
  return events.map((event) => (isAt(event, payload) ? { ...event, payload } : event));
}

function isAt({ type, payload }: NewEvent, { agent_id, key }: { agent_id: string; key: string }): boolean {
  if (type !== "agent_state.written" || !isJsonObject(payload)) return false;
  return payload.agent_id === agent_id && payload.key === key;
}
