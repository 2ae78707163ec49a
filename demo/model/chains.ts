import type { JsonObject } from "../../lib/session/json/json.ts";

/** As many answers as a day of trying things out may bring; each holds references to items that its chain shares. */
const KEPT = 1_000;

/**
 * Items of a chain that are kept, the newest. A long dialog had them all, in each of its answers: in half an hour of two turns
 * at a time the server's heap grew by 30 MB, and each answer took longer than the one before.
 */
const MOST_ITEMS = 200;

/** The answers that can be gone on from, by their ids: each with the items up to it and its own. The oldest are forgotten. */
export class Chains {
  private readonly items = new Map<string, readonly JsonObject[]>();
  private readonly kept: number;

  constructor(kept = KEPT) {
    this.kept = kept;
  }

  /** Null for an answer that was never kept, or is forgotten. */
  upTo(id: string): readonly JsonObject[] | null {
    return this.items.get(id) ?? null;
  }

  keep(id: string, items: readonly JsonObject[]): void {
    this.items.set(id, items.slice(-MOST_ITEMS));
    const [oldest] = this.items.keys();
    if (this.items.size > this.kept && oldest !== undefined) this.items.delete(oldest);
  }
}
