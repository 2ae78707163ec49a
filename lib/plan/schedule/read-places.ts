import type { PlanCall } from "../call.ts";
import { pointerTo } from "../problem.ts";
import type { Path } from "../reference.ts";

/** The places below a value that a plan reads, by key or position. */
export type ReadPlaces = Map<string, ReadPlaces>;

/** What a plan reads of the state, for results whose schemas do not say what they hold. */
export class StateReads {
  readonly #read: ReadPlaces = new Map();
  readonly #written = new Set<string>();

  constructor(calls: readonly PlanCall[]) {
    for (const { reads, output } of calls) {
      for (const { path } of output?.flat() ?? []) this.#written.add(pointerTo(path));
      for (const { kind, path } of reads.flatMap(({ expression }) => expression.flat()))
        if (kind === "state") this.#add(path);
    }
  }

  /** What is read below these paths and comes from nowhere else: what another call writes there is its to bring (P12). */
  below(paths: readonly Path[]): ReadPlaces {
    const below: ReadPlaces = new Map();
    for (const path of paths) {
      let at: ReadPlaces | undefined = this.#read;
      for (const segment of path) at = at?.get(String(segment));
      if (at) this.#join(below, at, pointerTo(path));
    }
    return below;
  }

  #add(path: Path): void {
    let at = this.#read;
    for (const segment of path) at = childOf(at, String(segment));
  }

  #join(into: ReadPlaces, from: ReadPlaces, place: string): void {
    for (const [key, below] of from) {
      const inner = place + pointerTo([key]);
      if (!this.#written.has(inner)) this.#join(childOf(into, key), below, inner);
    }
  }
}

function childOf(places: ReadPlaces, key: string): ReadPlaces {
  const known: ReadPlaces = places.get(key) ?? new Map();
  places.set(key, known);
  return known;
}
