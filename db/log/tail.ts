import type { SessionEvent } from "../../lib/session/event.ts";

// At a thousand events a second, a reader that wakes within eight seconds of a commit finds everything here. Whoever does not
// reads the log itself, which takes more than following: on a machine at full load hundreds who fell behind never came back.
const LONGEST = 8_000;
const LARGEST_SIZE = 8 * 1024 * 1024;

/** An event that was appended, with the length of its payload's text. */
export interface Recorded {
  event: SessionEvent;
  size: number;
}

/**
 * The newest events, kept in memory for those who follow the log live: hundreds of readers wake with each commit, and
 * reading the same rows hundreds of times is what would hold up the next commit. Positions have no gap.
 */
export class Tail {
  #events: Recorded[] = [];
  #size = 0;
  /** Everything after this position is here; null while that is not known. */
  #after: number | null;

  /** Begins at the log's end. */
  constructor(head: number) {
    this.#after = head;
  }

  /** Takes what a commit appended. */
  push(recorded: readonly Recorded[]): void {
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

  /** Forgets everything: the log has grown by what it was not told. */
  clear(): void {
    this.#events = [];
    this.#size = 0;
    this.#after = null;
  }

  /** The events after `position`, oldest first, or null when some of them may not be here. */
  since(position: number, page: { conversationId?: string; limit: number }): SessionEvent[] | null {
    if (this.#after === null || position < this.#after) return null;
    const found: SessionEvent[] = [];
    for (let index = position - this.#after; index < this.#events.length && found.length < page.limit; index += 1) {
      const event = this.#events[index]?.event;
      if (event && (page.conversationId === undefined || event.conversation_id === page.conversationId))
        found.push(event);
    }
    return found;
  }
}
