import { type ImportedConversation, newEvent } from "../../lib/intake/new-event.ts";
import type { Payload } from "../../lib/session/events/catalogue.ts";
import type { EventType } from "../../lib/session/events/kinds.ts";
import type { JsonObject } from "../../lib/session/json/json.ts";

/** The run of events. */
export interface RunName {
  id: string;
  parentId: string | null;
  agentId: string | null;
}

/** Actor, run and cause of an event. */
export interface Origin {
  actor: string;
  run?: RunName;
  cause?: Draft | null;
}

/** An event without its sequence number: events of the same time keep their order. */
export interface Draft {
  type: EventType;
  at: number;
  make(id: string, causedBy: string | null): ReturnType<typeof newEvent>;
  cause: Draft | null;
}

/** Collects events of a conversation, in any order, and sorts them by time. */
export class Recording {
  readonly conversationId: string;
  readonly #drafts: Draft[] = [];

  constructor(conversationId: string) {
    this.conversationId = conversationId;
  }

  /** Adds an event at a time (epoch ms). */
  add<T extends EventType>(
    at: number,
    type: T,
    payload: Payload<T> & JsonObject,
    { actor, run, cause = null }: Origin,
  ): Draft {
    const time = new Date(at).toISOString();
    const fields = {
      conversation_id: this.conversationId,
      actor,
      agent_id: run?.agentId ?? null,
      run_id: run?.id ?? null,
      parent_run_id: run?.parentId ?? null,
      occurred_at: time,
      recorded_at: time,
    };
    const draft: Draft = {
      type,
      at,
      cause,
      make: (id, caused_by) => newEvent(type, payload, { ...fields, id, caused_by }),
    };
    this.#drafts.push(draft);
    return draft;
  }

  /** The events up to `until` (epoch ms), numbered in order. */
  finish(until: number): ImportedConversation {
    const happened = this.#drafts.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
    const ids = new Map(happened.map((draft, index) => [draft, `${this.conversationId}:${index + 1}`]));
    const idOf = (draft: Draft | null) => (draft && ids.get(draft)) ?? null;
    return {
      conversation_id: this.conversationId,
      events: happened.map((draft) => draft.make(idOf(draft) ?? "", idOf(draft.cause))),
    };
  }
}
