import { Delivery } from "./delivery.ts";
import { makeEntry } from "./entry.ts";
import { newId } from "./new-id.ts";
import type { MessageRole, NewEvent, Payloads } from "./payloads.ts";
import { Conversation } from "./session.ts";

export type { Failure, Json, MessageRole, NewEvent, Payloads } from "./payloads.ts";
export type { Call, Conversation, ModelRequest, Run } from "./session.ts";

/** Why an event never reached the log. */
export type DropReason =
  /** The buffer was full. */
  | "buffer_full"
  /** The server does not take it; `detail` says why. */
  | "refused"
  /** It is larger than a request may be. */
  | "too_large"
  /** It cannot be written as JSON. */
  | "not_json"
  /** It came after `close`, or its time was over; it may have arrived if it was just being sent. */
  | "closed";

/** An event that is given up. */
export interface Dropped {
  reason: DropReason;
  detail: string;
  id: string;
  conversation_id: string;
  type: string;
  /** The whole event; null where it cannot be written as JSON. */
  json: string | null;
}

/** A request that failed and is sent again. */
export interface Trouble {
  detail: string;
  /** Null where there was no answer. */
  status: number | null;
  /** When it is sent again, in ms. */
  retry_in_ms: number;
  /** So many events wait. */
  waiting: number;
}

export interface ObelusClientOptions {
  /** `http://127.0.0.1:3000` */
  url: string;
  apiKey?: string;
  /** So many events, and bytes of JSON, wait at most: 100,000 and 64 MiB. */
  maxBufferedEvents?: number;
  maxBufferedBytes?: number;
  /** A request that has no answer by then is sent again: 30 s. */
  requestTimeoutMs?: number;
  /** Told of each event that is given up, and why. What it throws is ignored. */
  onDropped?: (dropped: Dropped) => void;
  /** Told when a request fails. What it throws is ignored. */
  onTrouble?: (trouble: Trouble) => void;
}

/** What has become of the events so far. */
export interface Counts {
  /** On the server's disk. */
  stored: number;
  waiting: number;
  dropped: Record<DropReason, number>;
}

/**
 * Tells an Obelus server what an agent does. Events are sent in the background, in the order in which they were given, each
 * stored once however often it has to be sent. Nothing here throws into the agent's code or makes it wait, the constructor
 * apart, which throws a `TypeError` for an address that is none.
 *
 * It keeps no process alive: `await client.close()` before the end.
 */
export class ObelusClient {
  readonly #delivery: Delivery;

  constructor(options: ObelusClientOptions) {
    this.#delivery = new Delivery(options);
  }

  /** Hands in an event, and gives its id. */
  event<T extends string>(event: NewEvent<T>): string {
    const made = makeEntry(event);
    if (made.ok) this.#delivery.take(made.entry);
    else this.#delivery.drop("not_json", made.detail, { ...made.entry, json: null });
    return made.entry.id;
  }

  /** Hands in what somebody said, and gives the message's id. */
  message({ id = newId(), user_id, role, content, metadata, ...event }: NewMessage): string {
    const payload = { message_id: id, role, content, ...(metadata && { metadata }) };
    const actor = event.actor ?? (user_id === undefined ? undefined : `user:${user_id}`);
    return this.event({ ...event, id, actor, type: "message.created", payload });
  }

  /** What happens in a conversation, said in fewer words. `about` is told once, when something is given. */
  conversation(id: string, about?: Payloads["conversation.created"]): Conversation {
    return new Conversation(this, id, about);
  }

  /** Whether all that was handed in before has been stored or dropped; false when the time is over first. */
  flush({ timeoutMs }: { timeoutMs?: number } = {}): Promise<boolean> {
    return this.#delivery.flush(timeoutMs ?? null);
  }

  /**
   * Sends what waits, for so long at most (5 s), and drops the rest with a report. What is handed in from now on is dropped,
   * too.
   */
  async close({ timeoutMs = 5_000 }: { timeoutMs?: number } = {}): Promise<Counts> {
    await this.#delivery.close(timeoutMs);
    return this.counts();
  }

  counts(): Counts {
    return this.#delivery.counts();
  }
}

/** What somebody said. */
export interface NewMessage {
  id?: string;
  conversation_id: string;
  role: MessageRole;
  content: string;
  /** Of a user: who. */
  user_id?: string;
  actor?: string;
  agent_id?: string;
  run_id?: string;
  caused_by?: string;
  occurred_at?: string;
  metadata?: Payloads["message.created"]["metadata"];
}
