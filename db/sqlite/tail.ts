import type { SessionEvent } from "../../lib/session/event.ts";

// At a thousand events a second, a reader that wakes within two seconds of a commit finds everything here.
const LONGEST = 2_000;
const LARGEST_SIZE = 16 * 1024 * 1024;

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

  /** Takes what a commit appended. */
  push(recorded: readonly Recorded[]): void {
    for (const one of recorded) {
      this.#events.push(one);
      this.#size += one.size;
    }
    let gone = 0;
    while (this.#events.length - gone > LONGEST || this.#size > LARGEST_SIZE) {
      this.#size -= this.#events[gone]?.size ?? 0;
      gone += 1;
    }
    this.#events.splice(0, gone);
  }

  /** Forgets everything: the log has grown by what it was not told. */
  clear(): void {
    this.#events = [];
    this.#size = 0;
  }

  /** The events after `position`, or null when some of them may not be here. */
  since(position: number, page: { conversationId?: string; limit: number }): SessionEvent[] | null {
    const first = this.#events[0]?.event.position;
    if (first === undefined || position < first - 1) return null;
    const found: SessionEvent[] = [];
    for (let index = position - first + 1; index < this.#events.length && found.length < page.limit; index += 1) {
      const event = this.#events[index]?.event;
      if (event && (page.conversationId === undefined || event.conversation_id === page.conversationId))
        found.push(event);
    }
    return found;
  }
}
