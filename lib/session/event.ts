import type { Payload } from "./catalogue.ts";
import type { Json } from "./json/json.ts";
import { type EventType, isEventType } from "./kinds.ts";

/**
 * Who put an event into the log. `engine`: what this server's agents do. `server`: this server's own code beside it, such as a
 * channel. `person`: somebody who is signed in, or whoever uses the server where nobody signs in. `program`: a key, or an
 * agent elsewhere by OTLP or AG-UI. `import`: a file, or the conversation that a fork comes from. Storage alone sets it, so
 * that nobody can claim it.
 */
export const RECORDERS = ["engine", "server", "person", "program", "import"] as const;
export type Recorder = (typeof RECORDERS)[number];

/** One step of a session, as it is stored and sent (E2). Times are ISO 8601 UTC. */
export interface SessionEvent {
  /** The client's id, or one made here; unique on the server. */
  id: string;
  /** Null only for `agent_state.*` outside a conversation. */
  conversation_id: string | null;
  /** 1, 2, 3 … within the conversation, without gaps; 0 outside of one. */
  seq: number;
  /** The place in the server's whole log. */
  position: number;
  type: string;
  /** `user:alice`, `agent:admin`, `tool:crm.deal.get`, `operator:…`, `system`. */
  actor: string | null;
  agent_id: string | null;
  run_id: string | null;
  parent_run_id: string | null;
  /** The id of the event that brought this one about; it may be yet to come. */
  caused_by: string | null;
  payload: Json;
  /** When it happened; null where the source tells no time. */
  occurred_at: string | null;
  recorded_at: string;
  /** Of an event that the log has. */
  recorded_by?: Recorder;
}

/** An event of one of these types, told apart by `type`. */
export type EventOf<T extends EventType> = {
  [K in T]: Omit<SessionEvent, "type" | "payload"> & { type: K; payload: Payload<K> };
}[T];

/** An event whose type the catalogue knows. */
export type KnownEvent = EventOf<EventType>;

/**
 * Tells whether the catalogue knows the event's type, and with it the shape of its payload: intake has checked
 * every payload against the catalogue before the event was stored.
 */
export function isKnown(event: SessionEvent | KnownEvent): event is KnownEvent {
  return isEventType(event.type);
}
