import type { SessionEvent } from "../../lib/session/event.ts";
import type { EventHeader } from "../repositories.ts";
import { plain } from "./unparsed-event.ts";

// At a thousand events a second, a reader that wakes within eight seconds of a commit finds everything here. Otherwise
// it reads the log, which costs more than following: at full load, hundreds that fell behind never caught up.
const LONGEST = 8_000;
const LARGEST_SIZE = 8 * 1024 * 1024;

/** Readers are woken by each commit: those of a log that grows have asked within this time, ms. */
const ASKED_MS = 60_000;

/** Without commits for as long, it is emptied, ms: readers have long followed, and 8,000 events take 16 MB. */
const KEPT_MS = 10_000;

/** An appended event, with the length of its payload text. */
export interface Recorded {
  event: SessionEvent;
  size: number;
}

/**
 * The newest events in memory for live readers: hundreds wake with each commit, and reading the same rows hundreds of
 * times would delay the next commit. Positions have no gaps.
 */
export class Tail {
  #events: Recorded[] = [];
  #size = 0;
  /** Everything after this position is here; null if unknown. */
  #after: number | null;
  #askedAt = Number.NEGATIVE_INFINITY;
  readonly #expiry = setTimeout(() => this.#empty(), KEPT_MS).unref();

  /** Whether the log is known to have more, which will be pushed. */
  isBehind = false;

  /** Starts at the log's end. */
  constructor(head: number) {
    this.#after = head;
  }

  /** Whether somebody reads events here: has asked for some lately. */
  get isRead(): boolean {
    return performance.now() - this.#askedAt < ASKED_MS;
  }

  /** Adds the events of a commit. */
  push(recorded: readonly Recorded[]): void {
    this.#expiry.refresh();
    const [first] = recorded;
    if (first) this.#after ??= first.event.position - 1;
    for (const one of recorded) {
      this.#events.push(one);
      this.#size += one.size;
    }
    let gone = 0;
    while (this.#events.length - gone > LONGEST || this.#size > LARGEST_SIZE) {
      const oldest = this.#events[gone];
      this.#size -= oldest?.size ?? 0;
      this.#after = oldest?.event.position ?? this.#after;
      gone += 1;
    }
    this.#events.splice(0, gone);
  }

  /** Clears it: the log has events that were not pushed. */
  clear(): void {
    this.#events = [];
    this.#size = 0;
    this.#after = null;
  }

  /** The events after `position`, oldest first, or null if some may be missing here. */
  since(position: number, page: { conversationId?: string; limit: number }): SessionEvent[] | null {
    this.#askedAt = performance.now();
    const first = this.#indexAfter(position);
    if (first === null) return null;
    const found: SessionEvent[] = [];
    for (let index = first; index < this.#events.length && found.length < page.limit; index += 1) {
      const event = this.#events[index]?.event;
      if (event && (page.conversationId === undefined || event.conversation_id === page.conversationId))
        found.push(plain(event));
    }
    return found;
  }

  /** The headers of the events after `position`, likewise. Their payloads stay unparsed, and nothing is kept here for it. */
  headersSince(position: number, limit: number): EventHeader[] | null {
    const first = this.#indexAfter(position);
    return first === null ? null : this.#events.slice(first, first + limit).map(({ event }) => event);
  }

  /** Forgets the events, which are in the log; that there are none after them stays known. */
  #empty(): void {
    this.#after = this.#events.at(-1)?.event.position ?? this.#after;
    this.#events = [];
    this.#size = 0;
  }

  #indexAfter(position: number): number | null {
    return this.isBehind || this.#after === null || position < this.#after ? null : position - this.#after;
  }
}
