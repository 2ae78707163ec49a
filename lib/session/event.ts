import type { Payload } from "./events/catalogue.ts";
import { type EventType, isEventType } from "./events/kinds.ts";
import type { Json } from "./json/json.ts";

/**
 * Who appended an event. `engine`: this server's engine. `server`: other code of this server, such as a channel. `person`: a
 * signed-in user, or anyone if sign-in is off. `program`: an API key, or an external agent over OTLP or AG-UI. `import`: a file,
 * or the source of a fork. Only storage sets it, so that no client can claim it.
 */
export const RECORDERS = ["engine", "server", "person", "program", "import"] as const;
export type Recorder = (typeof RECORDERS)[number];

/** One step of a session, as it is stored and sent (E2). Times are ISO 8601 UTC. */
export interface SessionEvent {
  /** The client's id, or a generated one; unique on the server. */
  id: string;
  /** Null only for `agent_state.*` outside a conversation. */
  conversation_id: string | null;
  /** 1, 2, 3 … within the conversation, without gaps; 0 outside of one. */
  seq: number;
  /** The position in the log of the whole server. */
  position: number;
  type: string;
  /** `user:alice`, `agent:admin`, `tool:crm.deal.get`, `operator:…`, `system`. */
  actor: string | null;
  agent_id: string | null;
  run_id: string | null;
  parent_run_id: string | null;
  /** The id of the event that caused this one; it may arrive later. */
  caused_by: string | null;
  payload: Json;
  /** When it happened; null if the source has no time. */
  occurred_at: string | null;
  recorded_at: string;
  /** Fields of a stored event. */
  recorded_by?: Recorder;
}

/** An event of one of these types, discriminated by `type`. */
export type EventOf<T extends EventType> = {
  [K in T]: Omit<SessionEvent, "type" | "payload"> & { type: K; payload: Payload<K> };
}[T];

/** An event whose type is in the catalogue. */
export type KnownEvent = EventOf<EventType>;

/**
 * Whether the event's type is in the catalogue, and so the shape of its payload is known: every payload is checked against the
 * catalogue before the event is stored.
 */
export function isKnown(event: SessionEvent | KnownEvent): event is KnownEvent {
  return isEventType(event.type);
}
