import type { NewEvent } from "../../../db/repositories.ts";
import { isJsonObject } from "../../session/json.ts";
import { isTakenOver } from "../errors.ts";
import type { Termination } from "./in-flight.ts";
import { ESCALATED, REASONS } from "./reasons.ts";
import type { Runner } from "./runner.ts";

/** The manager for whom the log would not have an agent speak; null where that is not why it refused. */
export function managerOf(error: unknown): string | null {
  return isTakenOver(error) ? error.by : null;
}

/** Whether a top-level run answers a user: what it says reaches somebody. */
export function isTurn({ parent, state }: Runner): boolean {
  return parent === null && state.settings.answers !== null;
}

export function isOpenTurn(run: Runner): boolean {
  return isTurn(run) && !run.state.ended;
}

/** A turn makes way for the manager who has taken its conversation over. */
export function yieldedTo(manager: string): Termination {
  return { reason: REASONS.takenOverBy(manager), error: null, actor: manager, gently: false };
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
