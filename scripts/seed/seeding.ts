import type { Payload } from "../../lib/session/events/catalogue.ts";
import type { EventType } from "../../lib/session/events/kinds.ts";
import type { JsonObject } from "../../lib/session/json/json.ts";

/** An event of `POST /api/events`. */
export interface SeedEvent {
  id: string;
  conversation_id: string;
  type: string;
  actor: string | null;
  agent_id: string | null;
  run_id: string | null;
  parent_run_id: string | null;
  caused_by: string | null;
  payload: unknown;
  occurred_at: string | null;
}

/** What is posted, in order, and pages to open afterwards. */
export interface Seeding {
  /** The approximate number of events, for progress. */
  total: number;
  events: Iterable<SeedEvent>;
  /** Paths on the server, with what they show. */
  open: readonly { path: string; shows: string }[];
}

/** The options of seeded data: the same ones give the same events. */
export interface Choice {
  seed: number;
  /** The number of items of the kind. */
  size: number;
  /** The end of the seeded time range, epoch ms. */
  now: number;
}

/** The origin of an event. */
interface Origin {
  actor: string;
  agent?: string;
  run?: string;
}

/** Creates a conversation's events one after another, with deterministic ids. */
export class SessionRecorder {
  readonly conversation: string;
  /** The current time, epoch ms. */
  at: number;
  #count = 0;

  constructor(conversation: string, at: number) {
    this.conversation = conversation;
    this.at = at;
  }

  /** Creates the next event, `after` ms after the previous one, with a typed payload. */
  tell<T extends EventType>(
    type: T,
    payload: Payload<T> & JsonObject,
    { actor, agent, run }: Origin,
    after = 0,
  ): SeedEvent {
    this.#count += 1;
    this.at += after;
    return {
      id: `${this.conversation}:${this.#count}`,
      conversation_id: this.conversation,
      type,
      actor,
      agent_id: agent ?? null,
      run_id: run ?? null,
      parent_run_id: null,
      caused_by: null,
      payload,
      occurred_at: new Date(this.at).toISOString(),
    };
  }

  /** Creates a message with its own id. */
  say(role: "user" | "assistant", content: string, name: string, from: Origin, after = 0): SeedEvent {
    const message_id = `${this.conversation}:m${this.#count + 1}`;
    return this.tell("message.created", { message_id, role, content, name }, from, after);
  }
}
