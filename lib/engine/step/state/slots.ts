/**
 * Slots for what runs at once (P20), shared out in turn between instances (P26): an instance with a thousand ready
 * calls does not keep the others waiting.
 */
export class Slots<T> {
  readonly #limit: number;
  readonly #queues = new Map<string, { items: T[]; next: number }>();
  #used = 0;
  #waiting = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many wait for a slot. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Waits for a slot in the line of its instance. */
  add(instance: string, item: T): void {
    const queue = this.#queues.get(instance);
    if (queue) queue.items.push(item);
    else this.#queues.set(instance, { items: [item], next: 0 });
    this.#waiting += 1;
  }

  /** Takes the next in line and a slot for it; undefined when all slots are taken or nobody waits. */
  take(): T | undefined {
    if (this.#used >= this.#limit) return undefined;
    for (const [instance, queue] of this.#queues) {
      const item = queue.items[queue.next];
      queue.next += 1;
      // Behind all other instances; gone when nobody of it waits any more.
      this.#queues.delete(instance);
      if (queue.next < queue.items.length) this.#queues.set(instance, queue);
      this.#waiting -= 1;
      this.#used += 1;
      return item;
    }
    return undefined;
  }

  /** Takes a slot if there is one that nobody waits for. */
  takeFree(): boolean {
    if (this.#used >= this.#limit || this.#waiting > 0) return false;
    this.#used += 1;
    return true;
  }

  /** Takes a slot back at once, even beyond the limit: for what goes on after it waited without one. */
  retake(): void {
    this.#used += 1;
  }

  /** Gives a slot back. */
  release(): void {
    this.#used -= 1;
  }

  /** Nobody waits any more; gives those who did. */
  clear(): T[] {
    const left = [...this.#queues.values()].flatMap(({ items, next }) => items.slice(next));
    this.#queues.clear();
    this.#waiting = 0;
    return left;
  }
}
