import type { SessionEvent } from "../../lib/session/event.ts";
import { IMPORT } from "../log/unfinished.ts";
import type { Writes } from "../log/writes.ts";

/** The import that is being stored out of sight, above all that has been appended (E11); at most one is. */
export class ImportStage {
  readonly #writes: Writes;
  /** Its first position; null while none is being stored. */
  #first: number | null = null;

  constructor(writes: Writes) {
    this.#writes = writes;
  }

  /** Looks anew: a transaction begins, or a part of it was undone. */
  read(): void {
    this.#first = this.#writes.stagedFrom.get() ?? null;
  }

  begin(first: number): void {
    this.#writes.beginFork.run(IMPORT, first);
    this.#first = first;
  }

  end(): void {
    this.#writes.endFork.run(IMPORT);
    this.#first = null;
  }

  /** Whether the conversation is one of the import's, and nobody has written to it meanwhile. */
  has(conversationId: string): boolean {
    return this.#first !== null && (this.#writes.firstPosition.get(conversationId) ?? 0) >= this.#first;
  }

  /** Removes its newest `count` events; tells whether all of it is gone. */
  remove(count: number): boolean {
    if (this.#first === null) return true;
    const from = Math.max(this.#first, (this.#writes.last.get() ?? 0) - count + 1);
    this.#writes.removeStagedMessages.run(from);
    this.#writes.removeStagedEvents.run(from);
    if (from > this.#first) return false;
    this.end();
    return true;
  }

  /**
   * Gives way to whoever writes to one of its conversations, as if that had been there first: the import finds it gone, and
   * leaves the conversation as it is. Tells whether it had it.
   */
  giveWay(conversationId: string): boolean {
    if (!this.has(conversationId)) return false;
    this.#writes.removeMessages.run(conversationId, 0);
    this.#writes.removeEvents.run(conversationId, 0);
    return true;
  }

  /** The same for the id of an event, which it has in a conversation of its own. */
  giveWayTo({ id }: SessionEvent): boolean {
    const holder = this.#first === null ? undefined : this.#writes.eventById.get(id);
    return holder !== undefined && holder.conversation_id !== null && this.giveWay(holder.conversation_id);
  }
}
