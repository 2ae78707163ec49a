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

  /** How many calls wait for a slot. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Queues a call of its instance. */
  add(instance: string, item: T): void {
    const queue = this.#queues.get(instance);
    if (queue) queue.items.push(item);
    else this.#queues.set(instance, { items: [item], next: 0 });
    this.#waiting += 1;
  }

  /** Takes the next call and a slot for it; undefined if all slots are taken or no call waits. */
  take(): T | undefined {
    if (this.#used >= this.#limit) return undefined;
    for (const [instance, queue] of this.#queues) {
      const item = queue.items[queue.next];
      queue.next += 1;
      // Behind all other instances; removed when none of its calls waits.
      this.#queues.delete(instance);
      if (queue.next < queue.items.length) this.#queues.set(instance, queue);
      this.#waiting -= 1;
      this.#used += 1;
      return item;
    }
    return undefined;
  }

  /** Takes a slot if one is free and no call waits. */
  takeFree(): boolean {
    if (this.#used >= this.#limit || this.#waiting > 0) return false;
    this.#used += 1;
    return true;
  }

  /** Takes a slot at once, even beyond the limit: for a call that continues after waiting without one. */
  retake(): void {
    this.#used += 1;
  }

  /** Releases a slot. */
  release(): void {
    this.#used -= 1;
  }

  /** Empties the queue and returns the calls that waited. */
  clear(): T[] {
    const left = [...this.#queues.values()].flatMap(({ items, next }) => items.slice(next));
    this.#queues.clear();
    this.#waiting = 0;
    return left;
  }
}
