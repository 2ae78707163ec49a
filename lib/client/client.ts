import { Delivery } from "./delivery.ts";
import { makeEntry } from "./entry.ts";
import { newId } from "./new-id.ts";
import type { MessageRole, NewEvent, Payloads } from "./payloads.ts";
import type { Target } from "./post.ts";
import { ObelusError, read, type StoredConversation, type StoredEvent, type View } from "./reading.ts";
import { Conversation } from "./session.ts";

export type { Failure, Json, MessageRole, NewEvent, Payloads } from "./payloads.ts";
export { ObelusError, type StoredConversation, type StoredEvent, type View } from "./reading.ts";
export type { Call, Conversation, ModelRequest, Run } from "./session.ts";

/** Why an event was dropped. */
export type DropReason =
  /** The buffer was full. */
  | "buffer_full"
  /** The server refused it; `detail` says why. */
  | "refused"
  /** It is larger than the request limit. */
  | "too_large"
  /** It cannot be written as JSON. */
  | "not_json"
  /** It came after `close`, or before its timeout; it may have been stored if it was being sent. */
  | "closed";

/** A dropped event. */
export interface Dropped {
  reason: DropReason;
  detail: string;
  id: string;
  conversation_id: string;
  type: string;
  /** The whole event; null if it cannot be serialized. */
  json: string | null;
}

/** A request that failed and is retried. */
export interface Trouble {
  detail: string;
  /** Null without a response. */
  status: number | null;
  /** The delay of the retry, ms. */
  retry_in_ms: number;
  /** The number of buffered events. */
  waiting: number;
}

export interface ObelusClientOptions {
  /** `http://127.0.0.1:3000` */
  url: string;
  apiKey?: string;
  /** The maximum number of buffered events and bytes of JSON: 100,000 and 64 MiB. */
  maxBufferedEvents?: number;
  maxBufferedBytes?: number;
  /** The timeout after which a request is retried: 30 s. */
  requestTimeoutMs?: number;
  /** Whether larger requests are compressed: true. */
  gzip?: boolean;
  /** Whether `flush` and `close` reject with an `ObelusError` if events were not recorded: false. */
  strict?: boolean;
  /** Called for each dropped event. Exceptions are ignored. */
  onDropped?: (dropped: Dropped) => void;
  /** Called when a request fails. Exceptions are ignored. */
  onTrouble?: (trouble: Trouble) => void;
}

/** The numbers of events so far. */
export interface Counts {
  /** Stored durably by the server. */
  stored: number;
  waiting: number;
  dropped: Record<DropReason, number>;
}

/**
 * Records an agent's events on an Obelus server. Events are sent in the background, in order, and stored exactly once
 * however often they are sent. Nothing here throws into the agent's code or blocks it, except the constructor, which
 * throws a `TypeError` for an invalid URL. It does not keep the process alive: `await client.close()` before the end.
 */
export class ObelusClient {
  readonly #delivery: Delivery;
  readonly #target: Target;
  readonly #requestTimeoutMs: number;
  readonly #isStrict: boolean;
  /** The first dropped event that was not thrown. */
  #dropped: Dropped | null = null;

  constructor(options: ObelusClientOptions) {
    const { url, apiKey, gzip = true, strict = false, requestTimeoutMs = 30_000, onDropped } = options;
    this.#target = {
      url: new URL("api/events", url.endsWith("/") ? url : `${url}/`),
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      gzip,
    };
    this.#requestTimeoutMs = requestTimeoutMs;
    this.#isStrict = strict;
    this.#delivery = new Delivery(this.#target, {
      ...options,
      requestTimeoutMs,
      onDropped: (dropped) => {
        this.#dropped ??= dropped;
        onDropped?.(dropped);
      },
    });
  }

  /** Adds an event; returns its id. */
  event<T extends string>(event: NewEvent<T>): string {
    const made = makeEntry(event);
    if (made.ok) this.#delivery.take(made.entry);
    else this.#delivery.drop("not_json", made.detail, { ...made.entry, json: null });
    return made.entry.id;
  }

  /** Adds a message; returns its id. */
  message({ id = newId(), user_id, role, content, metadata, ...event }: NewMessage): string {
    const payload = { message_id: id, role, content, ...(metadata && { metadata }) };
    const actor = event.actor ?? (user_id === undefined ? undefined : `user:${user_id}`);
    return this.event({ ...event, id, actor, type: "message.created", payload });
  }

  /** A conversation, with shorter methods. `about` is recorded once, with its first event. */
  conversation(id: string, about?: Payloads["conversation.created"]): Conversation {
    return new Conversation(this, id, about);
  }

  /** Whether all earlier events were stored or dropped; false after a timeout. */
  async flush({ timeoutMs }: { timeoutMs?: number } = {}): Promise<boolean> {
    const isDone = await this.#delivery.flush(timeoutMs ?? null);
    if (this.#isStrict) this.#throwIfIncomplete(isDone);
    return isDone;
  }

  /** Sends what is buffered, with a timeout (5 s), and drops the rest with a report. Later events are dropped, too. */
  async close({ timeoutMs = 5_000 }: { timeoutMs?: number } = {}): Promise<Counts> {
    await this.#delivery.close(timeoutMs);
    if (this.#isStrict) this.#throwIfIncomplete(true);
    return this.counts();
  }

  #throwIfIncomplete(isDone: boolean): void {
    const dropped = this.#dropped;
    this.#dropped = null;
    if (dropped) throw new ObelusError(`${dropped.type} was not recorded (${dropped.reason}): ${dropped.detail}`);
    if (!isDone) throw new ObelusError("Not all events were sent within the timeout");
  }

  /** Reads a conversation. Rejects with an `ObelusError`: status 404 if there is none. */
  getConversation(id: string): Promise<StoredConversation> {
    return this.#read(`conversations/${encodeURIComponent(id)}`);
  }

  /** Reads a conversation after a step, the last by default. Rejects with an `ObelusError`. */
  getView(id: string, { at }: { at?: number } = {}): Promise<View> {
    return this.#read(`conversations/${encodeURIComponent(id)}/view${at === undefined ? "" : `?at=${at}`}`);
  }

  /** Reads the events of a conversation after a step, oldest first, in pages. Rejects with an `ObelusError`. */
  async *getEvents(id: string, { after = 0 }: { after?: number } = {}): AsyncGenerator<StoredEvent, void, void> {
    let seq = after;
    for (;;) {
      const path = `conversations/${encodeURIComponent(id)}/events?limit=1000&after=${seq}`;
      const page: { items: StoredEvent[]; next: string | null } = await this.#read(path);
      yield* page.items;
      seq = page.items.at(-1)?.seq ?? seq;
      if (page.next === null) return;
    }
  }

  #read<T>(path: string): Promise<T> {
    return read(this.#target, path, this.#requestTimeoutMs);
  }

  counts(): Counts {
    return this.#delivery.counts();
  }
}

/** A message. */
export interface NewMessage {
  id?: string;
  conversation_id: string;
  role: MessageRole;
  content: string;
  /** The user who wrote it. */
  user_id?: string;
  actor?: string;
  agent_id?: string;
  run_id?: string;
  caused_by?: string;
  occurred_at?: string;
  metadata?: Payloads["message.created"]["metadata"];
}
