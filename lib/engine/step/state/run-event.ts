import type { Payload } from "../../../session/catalogue.ts";
import { DEFINITIONS, type SteeringType } from "../../../session/definitions.ts";
import { type EventType, isEventType } from "../../../session/kinds.ts";

/** An event of a run, told apart by its type, as far as the run's state depends on it. */
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

/** An event on which the run's course depends: see `EventDefinition`. */
export type SteeringEvent = Extract<RunEvent, { type: SteeringType }>;

/** Tells whether the run's course depends on it. */
export function steersRun(event: RunEvent): event is SteeringEvent {
  return DEFINITIONS[event.type].steers;
}

/** Tells whether it is one of the catalogue, and with it the shape of its payload: the engine wrote it that way. */
export function isRunEvent(event: AnyEvent): event is RunEvent {
  return isEventType(event.type);
}
