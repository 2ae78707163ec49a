import type { NewEvent } from "../../db/repositories.ts";
import { CHAIN_KEY, dialogAgent } from "../session/dialog-agent.ts";
import { isJsonObject, type Json, type JsonObject } from "../session/json/json.ts";

/**
 * New ids for the events, runs, messages and confirmations of a conversation. Other ids stay. Ids must be added with
 * `meet` before events are renamed; runs, messages and confirmations may be added a page at a time.
 */
export class Renaming {
  readonly #conversationId: string;
  readonly #runs = new Map<string, string>();
  readonly #messages = new Map<string, string>();
  readonly #confirmations = new Map<string, string>();

  constructor(conversationId: string) {
    this.#conversationId = conversationId;
  }

  /** Adds the ids of an event. */
  meet({ type, run_id, parent_run_id, payload }: NewEvent): void {
    for (const id of [run_id, parent_run_id]) if (id !== null) this.#name(this.#runs, "run", id);
    if (!isJsonObject(payload)) return;
    const { message_id, confirmation_id } = payload;
    if (type === "message.created" && typeof message_id === "string") this.#name(this.#messages, "message", message_id);
    if (type.startsWith("confirmation.") && typeof confirmation_id === "string")
      this.#name(this.#confirmations, "confirmation", confirmation_id);
  }

  /** The event with new ids. `placeOf`: the number of an event in the conversation, from 1. */
  rename(event: NewEvent, placeOf: (id: string) => number | undefined): NewEvent {
    const eventName = (id: string): string => {
      const place = placeOf(id);
      return place === undefined ? id : `${this.#conversationId}:${place}`;
    };
    return {
      ...event,
      id: eventName(event.id),
      conversation_id: this.#conversationId,
      run_id: event.run_id && this.run(event.run_id),
      parent_run_id: event.parent_run_id && this.run(event.parent_run_id),
      caused_by: event.caused_by && eventName(event.caused_by),
      payload: this.#dialogOf(event) ?? this.#payload(event.payload),
    };
  }

  /** The dialog's state moves to the new id, except for the response id, which only the source can continue (D7). */
  #dialogOf({ type, conversation_id, payload }: NewEvent): Json | null {
    if (!type.startsWith("agent_state.") || conversation_id === null || !isJsonObject(payload)) return null;
    if (payload.agent_id !== dialogAgent(conversation_id)) return null;
    const renamed = { ...payload, agent_id: dialogAgent(this.#conversationId) };
    return payload.key === CHAIN_KEY && "value" in payload ? { ...renamed, value: null } : renamed;
  }

  run(id: string): string {
    return this.#runs.get(id) ?? id;
  }

  confirmation(id: string): string {
    return this.#confirmations.get(id) ?? id;
  }

  #name(names: Map<string, string>, kind: string, id: string): void {
    if (!names.has(id)) names.set(id, `${this.#conversationId}:${kind}:${names.size + 1}`);
  }

  #payload(payload: Json): Json {
    if (!isJsonObject(payload)) return payload;
    const { message_id, answers, continues, confirmation_id, parts } = payload;
    return {
      ...payload,
      ...(typeof message_id === "string" && { message_id: this.#message(message_id) }),
      ...(typeof answers === "string" && { answers: this.#message(answers) }),
      ...(typeof continues === "string" && { continues: this.run(continues) }),
      ...(typeof confirmation_id === "string" && { confirmation_id: this.confirmation(confirmation_id) }),
      ...(Array.isArray(parts) && { parts: parts.map((part) => this.#part(part)) }),
    };
  }

  /** A part of a rendered prompt has the ids of its messages (H6). */
  #part(part: Json): Json {
    if (!isJsonObject(part) || !Array.isArray(part.messages)) return part;
    const messages = part.messages.map((shown): Json => {
      const named: JsonObject | null = isJsonObject(shown) ? shown : null;
      return named && typeof named.id === "string" ? { ...named, id: this.#message(named.id) } : shown;
    });
    return { ...part, messages };
  }

  #message(id: string): string {
    return this.#messages.get(id) ?? id;
  }
}
