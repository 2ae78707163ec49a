import type { Prepared } from "./prepare.ts";

/** The longest way to a call: how many calls run on it, the call itself included if it runs. */
interface Way {
  id: string;
  runs: boolean;
  length: number;
  before: Way | null;
}

/** Finds the longest chain of calls that wait for one another, as they are scheduled and end (P18). */
export class CriticalPath {
  readonly #waitsFor = new Map<string, Set<string>>();
  readonly #coming = new Map<string, Way>();
  readonly #ended = new Map<string, Way>();

  constructor({ links, order }: Prepared) {
    for (const { from, to } of [...links, ...order]) {
      const all = this.#waitsFor.get(to) ?? new Set();
      this.#waitsFor.set(to, all.add(from));
    }
  }

  /** A call is scheduled; it has waited for those that ended before. */
  schedule(id: string, runs: boolean): void {
    let before: Way | null = null;
    for (const from of this.#waitsFor.get(id) ?? []) {
      const way = this.#ended.get(from);
      if (way && way.length > (before?.length ?? 0)) before = way;
    }
    this.#coming.set(id, { id, runs, length: (before?.length ?? 0) + (runs ? 1 : 0), before });
  }

  /** A scheduled call has ended. */
  end(id: string): void {
    const way = this.#coming.get(id);
    if (way) this.#ended.set(id, way);
  }

  /** The ids of the longest chain's calls, the first that runs first. */
  longest(): string[] {
    let longest: Way | null = null;
    for (const way of this.#ended.values()) if (way.length > (longest?.length ?? 0)) longest = way;
    const ids: string[] = [];
    for (let way = longest; way; way = way.before) if (way.runs) ids.push(way.id);
    return ids.reverse();
  }
}
