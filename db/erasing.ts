/**
 * What is being erased, and what was since this process began. Events of a conversation that is being erased are refused; what
 * was read of one before its end, to be written down later, is old then and has to be dropped.
 */
export class Erasing {
  readonly #closed = new Set<string>();
  readonly #erased = new Map<string | number, number>();
  #epoch = 0;

  /** To be remembered by who reads, and asked for with `isOld`. */
  get epoch(): number {
    return this.#epoch;
  }

  close(conversationIds: Iterable<string>): void {
    for (const id of conversationIds) this.#closed.add(id);
  }

  /** What was closed takes events again; all of it where none is named. */
  open(conversationId?: string): void {
    if (conversationId === undefined) this.#closed.clear();
    else this.#closed.delete(conversationId);
  }

  isClosed(conversationId: string): boolean {
    return this.#closed.has(conversationId);
  }

  /** A conversation was erased, whose row stands at `position`. */
  note(conversationId: string, position: number): void {
    this.#epoch += 1;
    this.#erased.set(conversationId, this.#epoch).set(position, this.#epoch);
  }

  /** Whether a conversation, by its id or its row's position, was erased after `epoch`. */
  isOld(conversation: string | number, epoch: number): boolean {
    return (this.#erased.get(conversation) ?? 0) > epoch;
  }
}
