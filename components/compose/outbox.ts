import { ApiProblem } from "@/components/client/api.ts";

/** A message as it is sent. */
export interface Outgoing {
  /** Chosen here: sent again under the same id, a message is never there twice. */
  id: string;
  conversationId: string;
  content: string;
  /** Who is written for; null where the conversation itself tells. */
  userId: string | null;
  /** Nobody answers in this conversation: the message is only recorded. */
  recorded: boolean;
  /** A manager writes to the user (D11); what an earlier version of the page has kept does not say. */
  manager?: boolean;
}

/** Why a message may not have been sent. `refused`: the server said no, in its own sentence. */
export type Fault = { kind: "refused"; message: string } | { kind: "unreachable" } | { kind: "interrupted" };

/** A message that was written in this tab, until the conversation's log is known to have it. */
export interface Unsent extends Outgoing {
  state: "sending" | "sent" | Fault;
}

export type Post = (message: Outgoing) => Promise<unknown>;

const NONE: readonly Unsent[] = [];

/**
 * The messages that are on their way, by conversation. Those of one conversation are posted one after another, in the
 * order written; what could not be sent is kept in the tab's storage, also over a reload, until it is sent again or
 * dropped.
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

  /** What one conversation's log is not known to have, in the order written; the same array while nothing changes. */
  of(conversationId: string): readonly Unsent[] {
    const unsent = this.#unsent.get(conversationId) ?? this.#restore(conversationId);
    this.#unsent.set(conversationId, unsent);
    return unsent;
  }

  /** Sends a message; done when it is known what became of it. */
  send(message: Outgoing): Promise<void> {
    this.#set(message.conversationId, [...this.of(message.conversationId), { ...message, state: "sending" }]);
    return this.#queue(message);
  }

  /** Sends what could not be sent once more, under the same id. */
  sendAgain(message: Unsent): Promise<void> {
    this.#mark(message, "sending");
    return this.#queue(message);
  }

  drop(message: Unsent): void {
    this.settle(message.conversationId, new Set([message.id]));
  }

  /** Forgets messages that the log has, by their ids. */
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

  /** What an earlier page left. Whether a message that was on its way had arrived, that page did not live to hear. */
  #restore(conversationId: string): readonly Unsent[] {
    const unsent = read(this.#storage().getItem(keyOf(conversationId)));
    if (unsent.length === 0) return NONE;
    return unsent.map((one) => (one.state === "sending" ? { ...one, state: { kind: "interrupted" } } : one));
  }
}

/** Reads what this or another version of the page has kept; what is none of ours is left out. */
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
