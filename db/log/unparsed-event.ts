import type { SessionEvent } from "../../lib/session/event.ts";
import type { Json } from "../../lib/session/json/json.ts";
import type { PreparedEvent } from "../spans.ts";

/** A program's event that is being stored and whose payload is text: it is parsed only if something reads it, which for most is nothing. */
export class UnparsedEvent implements SessionEvent {
  readonly id: string;
  readonly conversation_id: string | null;
  readonly seq: number;
  readonly position: number;
  readonly type: string;
  readonly actor: string | null;
  readonly agent_id: string | null;
  readonly run_id: string | null;
  readonly parent_run_id: string | null;
  readonly caused_by: string | null;
  readonly occurred_at: string | null;
  readonly recorded_at: string;
  readonly recorded_by = "program";
  readonly #text: string;
  #payload: Json | undefined;

  constructor(
    event: PreparedEvent,
    place: Pick<SessionEvent, "seq" | "position" | "recorded_at"> & { occurred_at: string },
  ) {
    this.id = event.id;
    this.conversation_id = event.conversation_id;
    this.seq = place.seq;
    this.position = place.position;
    this.type = event.type;
    this.actor = event.actor;
    this.agent_id = event.agent_id;
    this.run_id = event.run_id;
    this.parent_run_id = event.parent_run_id;
    this.caused_by = event.caused_by;
    this.occurred_at = place.occurred_at;
    this.recorded_at = place.recorded_at;
    this.#text = event.text;
  }

  get payload(): Json {
    this.#payload ??= JSON.parse(this.#text);
    return this.#payload ?? null;
  }
}

/** The event as plain data, for readers of the log. */
export function plain(event: SessionEvent): SessionEvent {
  return event instanceof UnparsedEvent ? { ...event, payload: event.payload } : event;
}
