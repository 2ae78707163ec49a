import type { ImportProgress } from "../../db/repositories.ts";

/** The progress of an import, with the bytes received. */
export interface ImportState extends ImportProgress {
  bytes: number;
}

/** The imports in progress in this process, by the ids that clients chose. */
export class ImportsInProgress {
  readonly #states = new Map<string, ImportState>();

  /** Null: no such import is in progress. */
  get(id: string): ImportState | null {
    return this.#states.get(id) ?? null;
  }

  /** Starts one; null if another with this id is in progress. `end` must be called in any case. */
  begin(id: string): { state: ImportState; end: () => void } | null {
    if (this.#states.has(id)) return null;
    const state: ImportState = { phase: "reading", bytes: 0, conversations: 0, events: 0, stored: 0 };
    this.#states.set(id, state);
    return { state, end: () => this.#states.delete(id) };
  }
}
