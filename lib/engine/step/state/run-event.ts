import type { Payload } from "../../../session/events/catalogue.ts";
import { DEFINITIONS, type SteeringType } from "../../../session/events/definitions.ts";
import { type EventType, isEventType } from "../../../session/events/kinds.ts";

/** An event of a run that its state depends on, discriminated by type. */
export type RunEvent = {
  [T in EventType]: {
    id: string;
    type: T;
    payload: Payload<T>;
    actor: string | null;
    caused_by: string | null;
    occurred_at: string | null;
  };
}[EventType];

interface AnyEvent {
  id: string;
  type: string;
  payload: unknown;
  actor: string | null;
  caused_by: string | null;
  occurred_at: string | null;
}

/** An event that the run's progress depends on: see `EventDefinition`. */
export type SteeringEvent = Extract<RunEvent, { type: SteeringType }>;

/** Whether the run's progress depends on it. */
export function steersRun(event: RunEvent): event is SteeringEvent {
  return DEFINITIONS[event.type].steers;
}

/** Whether it is of the catalogue. The payload has its type's shape, because the engine wrote it. */
export function isRunEvent(event: AnyEvent): event is RunEvent {
  return isEventType(event.type);
}
