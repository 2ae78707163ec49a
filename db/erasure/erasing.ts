/** What a transaction knows of erasures. */
export interface ErasureGuard {
  /** See `LogWriter.epoch`. */
  epoch(): number;
  /** Whether a conversation takes no events because it is being erased. */
  isClosed(conversationId: string): boolean;
  /** Whether a conversation, by id or position, was erased after `epoch`. */
  isOld(conversation: string | number, epoch: number): boolean;
}

/**
 * The conversations that are being erased, and those erased since the process started. Events of a conversation that is
 * being erased are refused; data read before its end is outdated and must not be stored.
 */
export class Erasing implements ErasureGuard {
  readonly #closed = new Set<string>();
  readonly #erased = new Map<string | number, number>();
  #epoch = 0;

  epoch(): number {
    return this.#epoch;
  }

  close(conversationIds: Iterable<string>): void {
    for (const id of conversationIds) this.#closed.add(id);
  }

  /** Accepts events again; all conversations if none is named. */
  open(conversationId?: string): void {
    if (conversationId === undefined) this.#closed.clear();
    else this.#closed.delete(conversationId);
  }

  isClosed(conversationId: string): boolean {
    return this.#closed.has(conversationId);
  }

  /** A conversation was erased whose row is at `position`; null if it is in no list. */
  note(conversationId: string, position: number | null): void {
    this.#epoch += 1;
    this.#erased.set(conversationId, this.#epoch);
    if (position !== null) this.#erased.set(position, this.#epoch);
  }

  isOld(conversation: string | number, epoch: number): boolean {
    return (this.#erased.get(conversation) ?? 0) > epoch;
  }
}
