/** One user's turns, one after another in order of arrival; different users' at the same time (M11). */
export class TurnQueue<T> {
  /** By key: who holds the place, then who waits for it. */
  readonly #lines = new Map<string, { turn: T; begin: () => void }[]>();

  /** Takes the place, or a place in the line; tells whether it is held at once. Else `begin` is called when it is. */
  enter(key: string, turn: T, begin: () => void): boolean {
    const line = this.#lines.get(key) ?? [];
    this.#lines.set(key, line);
    if (!line.some((each) => each.turn === turn)) line.push({ turn, begin });
    return line[0]?.turn === turn;
  }

  /** Gives the place up, or the place in the line. */
  leave(key: string, turn: T): void {
    const line = this.#lines.get(key);
    const index = line?.findIndex((each) => each.turn === turn) ?? -1;
    if (!line || index < 0) return;
    line.splice(index, 1);
    if (line.length === 0) this.#lines.delete(key);
    else if (index === 0) line[0]?.begin();
  }
}
