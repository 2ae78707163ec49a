import type { Payload } from "../../../session/catalogue.ts";
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

/** Tells whether it is one of the catalogue, and with it the shape of its payload: the engine wrote it that way. */
export function isRunEvent(event: AnyEvent): event is RunEvent {
  return isEventType(event.type);
}
