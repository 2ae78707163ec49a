import type { Payload } from "../../lib/session/catalogue.ts";
import type { JsonObject } from "../../lib/session/json/json.ts";
import type { EventType } from "../../lib/session/kinds.ts";

/** An event as `POST /api/events` takes it. */
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

/** What is posted, in order, and what a person opens afterwards. */
export interface Seeding {
  /** About how many there are, to tell how far it has come. */
  total: number;
  events: Iterable<SeedEvent>;
  /** Addresses on the server, each with what is to be seen there. */
  open: readonly { path: string; shows: string }[];
}

/** What seeded data is made of: the same choice gives the same events. */
export interface Choice {
  seed: number;
  /** How many; of what, the kind says. */
  size: number;
  /** When all of it lies in the past, epoch ms. */
  now: number;
}

/** Who an event comes from. */
interface Origin {
  actor: string;
  agent?: string;
  run?: string;
}

/** Tells a conversation's events one after the other, under ids that are the same every time. */
export class Teller {
  readonly conversation: string;
  /** The clock, epoch ms. */
  at: number;
  #count = 0;

  constructor(conversation: string, at: number) {
    this.conversation = conversation;
    this.at = at;
  }

  /** The next event, `after` ms after the one before; the compiler holds the payload to its type. */
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

  /** A message with an id of its own. */
  say(role: "user" | "assistant", content: string, name: string, from: Origin, after = 0): SeedEvent {
    const message_id = `${this.conversation}:m${this.#count + 1}`;
    return this.tell("message.created", { message_id, role, content, name }, from, after);
  }
}
