import type { SessionEvent } from "../../lib/session/event.ts";
import { IMPORT } from "../log/unfinished.ts";
import type { Writes } from "../log/writes.ts";

/** The import that is being stored invisibly, at positions above the log's end (E11); at most one at a time. */
export class ImportStage {
  readonly #writes: Writes;
  /** Its first position; null if no import is being stored. */
  #first: number | null = null;
  /** It is this process that stores it. */
  #isOwn = false;

  constructor(writes: Writes) {
    this.#writes = writes;
  }

  /** Reads the state again: a transaction begins, or a part of it was rolled back. */
  read(): void {
    this.#first = this.#writes.stagedFrom.get() ?? null;
    this.#isOwn = this.#first !== null && this.#writes.ownsImport.get() !== undefined;
  }

  /** Whether another process stores one. */
  get isOthers(): boolean {
    return this.#first !== null && !this.#isOwn;
  }

  /** Throws if another process has removed the import of this one, which seemed to have ended. */
  refuseLost(): void {
    if (!this.#isOwn)
      throw new Error("The import was removed meanwhile, because its connection was lost; import again");
  }

  begin(first: number): void {
    this.#writes.beginFork.run(IMPORT, first);
    this.#first = first;
    this.#isOwn = true;
  }

  end(): void {
    this.#writes.endFork.run(IMPORT);
    this.#first = null;
    this.#isOwn = false;
  }

  /** Whether the conversation belongs to the import, and nobody else has written to it. */
  has(conversationId: string): boolean {
    return this.#first !== null && (this.#writes.firstPosition.get(conversationId) ?? 0) >= this.#first;
  }

  /** Removes its newest `count` events; returns whether all are removed. */
  remove(count: number): boolean {
    if (this.#first === null || !this.#isOwn) return true;
    const from = Math.max(this.#first, (this.#writes.last.get() ?? 0) - count + 1);
    this.#writes.removeStagedMessages.run(from);
    this.#writes.removeStagedEvents.run(from);
    if (from > this.#first) return false;
    this.end();
    return true;
  }

  /**
   * Drops a conversation of the import because somebody else writes to it: the import then treats it as existing and
   * leaves it as it is. Returns whether it had it.
   */
  giveWay(conversationId: string): boolean {
    if (!this.has(conversationId)) return false;
    this.#writes.removeMessages.run(conversationId, 0);
    this.#writes.removeEvents.run(conversationId, 0);
    return true;
  }

  /** The same for an event id, which may be in another conversation of the import. */
  giveWayTo({ id }: SessionEvent): boolean {
    const holder = this.#first === null ? undefined : this.#writes.eventById.get(id);
    return holder !== undefined && holder.conversation_id !== null && this.giveWay(holder.conversation_id);
  }
}
