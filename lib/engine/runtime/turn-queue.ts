interface Place<T> {
  turn: T;
  begin: () => void;
}

/** One user's turns, one after another in order of arrival; different users' at the same time (M11), up to a number. */
export class TurnQueue<T> {
  readonly #most: number;
  readonly #beside: () => number;
  /** By key: who comes first, then who waits for it. */
  readonly #lines = new Map<string, Place<T>[]>();
  /** The first of their lines who hold their places, and those who wait for one of so many. */
  readonly #holding = new Set<T>();
  #waiting: Place<T>[] = [];

  /** `beside` tells how much goes on that stands in no line, and counts as well. */
  constructor(most: number, beside: () => number) {
    this.#most = most;
    this.#beside = beside;
  }

  /** How many hold a place or wait for one. */
  get size(): number {
    return this.#holding.size + this.#waiting.length;
  }

  isHeldBy(turn: T): boolean {
    return this.#holding.has(turn);
  }

  /** Takes the place, or a place in the line; tells whether it is held at once. Else `begin` is called when it is. */
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

  /** Gives the place up, or the place in the line. */
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

  /** Lets those begin for whom there is a place by now. */
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
