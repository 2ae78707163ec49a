import type { ImportProgress } from "../../db/repositories.ts";

/** How far an import is, with the bytes of its file that have come in. */
export interface ImportState extends ImportProgress {
  bytes: number;
}

/** The imports of this process that are under way, by the ids that their clients chose. */
export class ImportsUnderWay {
  readonly #states = new Map<string, ImportState>();

  /** Null: no such import is under way. */
  get(id: string): ImportState | null {
    return this.#states.get(id) ?? null;
  }

  /** Begins one; null where another of this id is under way. Ended by `end`, whatever becomes of it. */
  begin(id: string): { state: ImportState; end: () => void } | null {
    if (this.#states.has(id)) return null;
    const state: ImportState = { phase: "reading", bytes: 0, conversations: 0, events: 0, stored: 0 };
    this.#states.set(id, state);
    return { state, end: () => this.#states.delete(id) };
  }
}
