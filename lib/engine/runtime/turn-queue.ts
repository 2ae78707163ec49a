interface Place<T> {
  turn: T;
  begin: () => void;
}

/** Queues of turns: a user's turns run one after another in order of arrival, different users' concurrently up to a limit (M11). */
export class TurnQueue<T> {
  readonly #most: number;
  readonly #beside: () => number;
  /** By key: the active turn first, then those that wait for it. */
  readonly #lines = new Map<string, Place<T>[]>();
  /** The heads of queues that hold a slot, and those that wait for one. */
  readonly #holding = new Set<T>();
  #waiting: Place<T>[] = [];

  /** `beside`: the number of active runs outside of the queues, which count as well. */
  constructor(most: number, beside: () => number) {
    this.#most = most;
    this.#beside = beside;
  }

  /** The number of turns that hold a slot or wait for one. */
  get size(): number {
    return this.#holding.size + this.#waiting.length;
  }

  isHeldBy(turn: T): boolean {
    return this.#holding.has(turn);
  }

  /** Acquires the slot or joins the queue; returns whether it was acquired at once. Otherwise `begin` is called later. */
  enter(key: string, turn: T, begin: () => void): boolean {
    if (this.#holding.has(turn)) return true;
    const line = this.#lines.get(key) ?? [];
    this.#lines.set(key, line);
    if (line.some((each) => each.turn === turn)) return false;
    const place = { turn, begin };
    line.push(place);
    if (line[0] !== place) return false;
    if (this.#isFull()) {
      this.#waiting.push(place);
      return false;
    }
    this.#holding.add(turn);
    return true;
  }

  /** Releases the slot, or leaves the queue. */
  leave(key: string, turn: T): void {
    const line = this.#lines.get(key);
    const index = line?.findIndex((each) => each.turn === turn) ?? -1;
    if (!line || index < 0) return;
    line.splice(index, 1);
    this.#holding.delete(turn);
    this.#waiting = this.#waiting.filter((each) => each.turn !== turn);
    if (line.length === 0) this.#lines.delete(key);
    else if (index === 0 && line[0]) this.#waiting.push(line[0]);
    this.look();
  }

  /** Starts the turns for which there are free slots. */
  look(): void {
    while (this.#waiting.length > 0 && !this.#isFull()) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#holding.add(next.turn);
      next.begin();
    }
  }

  #isFull(): boolean {
    if (this.#most === Number.POSITIVE_INFINITY) return false;
    return this.#holding.size + this.#beside() >= this.#most;
  }
}
