import { ApiProblem } from "@/components/client/api.ts";

/** A message to send. */
export interface Outgoing {
  /** Chosen by the client: a message that is sent again is stored once. */
  id: string;
  conversationId: string;
  content: string;
  /** The user to write as; null when the conversation determines it. */
  userId: string | null;
  /** No agent answers in this conversation: the message is only recorded. */
  recorded: boolean;
  /** A manager's message to the user (D11); missing in entries of earlier versions. */
  manager?: boolean;
}

/** Why a message may not have been sent. `refused` has the server's message. */
export type Fault = { kind: "refused"; message: string } | { kind: "unreachable" } | { kind: "interrupted" };

/** A message of this tab that the loaded log does not have yet. */
export interface Unsent extends Outgoing {
  state: "sending" | "sent" | Fault;
}

export type Post = (message: Outgoing) => Promise<unknown>;

const NONE: readonly Unsent[] = [];

/**
 * Unsent messages by conversation. Those of a conversation are posted one after another, in order. Failed ones are kept
 * in session storage until they are sent again or discarded.
 */
export class Outbox {
  readonly #storage: () => Pick<Storage, "getItem" | "setItem" | "removeItem">;
  readonly #post: Post;
  readonly #unsent = new Map<string, readonly Unsent[]>();
  readonly #last = new Map<string, Promise<void>>();
  readonly #listeners = new Set<() => void>();

  constructor(storage: () => Pick<Storage, "getItem" | "setItem" | "removeItem">, post: Post) {
    this.#storage = storage;
    this.#post = post;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** A conversation's messages that the loaded log does not have, in order; the same array until it changes. */
  of(conversationId: string): readonly Unsent[] {
    const unsent = this.#unsent.get(conversationId) ?? this.#restore(conversationId);
    this.#unsent.set(conversationId, unsent);
    return unsent;
  }

  /** Sends a message; resolves when the result is known. */
  send(message: Outgoing): Promise<void> {
    this.#set(message.conversationId, [...this.of(message.conversationId), { ...message, state: "sending" }]);
    return this.#queue(message);
  }

  /** Sends failed messages again, under the same ids. */
  sendAgain(message: Unsent): Promise<void> {
    this.#mark(message, "sending");
    return this.#queue(message);
  }

  drop(message: Unsent): void {
    this.settle(message.conversationId, new Set([message.id]));
  }

  /** Removes messages that the log has, by their ids. */
  settle(conversationId: string, known: ReadonlySet<string>): void {
    const left = this.of(conversationId).filter(({ id }) => !known.has(id));
    if (left.length < this.of(conversationId).length) this.#set(conversationId, left);
  }

  #queue(message: Outgoing): Promise<void> {
    const before = this.#last.get(message.conversationId) ?? Promise.resolve();
    const settled = before.then(async () => {
      const state = await this.#post(message).then(() => "sent" as const, faultOf);
      this.#mark(message, state);
    });
    this.#last.set(message.conversationId, settled);
    return settled;
  }

  #mark({ id, conversationId }: Outgoing, state: Unsent["state"]): void {
    this.#set(
      conversationId,
      this.of(conversationId).map((one) => (one.id === id ? { ...one, state } : one)),
    );
  }

  #set(conversationId: string, unsent: readonly Unsent[]): void {
    this.#unsent.set(conversationId, unsent);
    const kept = unsent.filter(({ state }) => state !== "sent");
    if (kept.length === 0) this.#storage().removeItem(keyOf(conversationId));
    else this.#storage().setItem(keyOf(conversationId), JSON.stringify(kept));
    for (const listener of this.#listeners) listener();
  }

  /** Entries of an earlier page. Whether a message that was being sent has arrived is unknown. */
  #restore(conversationId: string): readonly Unsent[] {
    const unsent = read(this.#storage().getItem(keyOf(conversationId)));
    if (unsent.length === 0) return NONE;
    return unsent.map((one) => (one.state === "sending" ? { ...one, state: { kind: "interrupted" } } : one));
  }
}

/** Reads stored entries of this or another version; invalid ones are ignored. */
function read(stored: string | null): Unsent[] {
  if (stored === null) return [];
  try {
    const values: unknown = JSON.parse(stored);
    return Array.isArray(values) ? values.filter(isUnsent) : [];
  } catch {
    return [];
  }
}

function isUnsent(value: unknown): value is Unsent {
  if (typeof value !== "object" || value === null) return false;
  const texts = ["id", "conversationId", "content"];
  return (
    texts.every((name) => typeof Reflect.get(value, name) === "string") && Reflect.get(value, "state") !== undefined
  );
}

function keyOf(conversationId: string): string {
  return `obelus-unsent-${conversationId}`;
}

function faultOf(error: unknown): Fault {
  return error instanceof ApiProblem && error.status < 500
    ? { kind: "refused", message: error.message }
    : { kind: "unreachable" };
}
