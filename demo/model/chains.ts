import type { JsonObject } from "../../lib/session/json/json.ts";

/** As many answers as a day of trying things out may bring; each holds references to items that its chain shares. */
const KEPT = 1_000;

/** The answers that can be gone on from, by their ids: each with all items up to it and its own. The oldest are forgotten. */
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
    this.items.set(id, items);
    const [oldest] = this.items.keys();
    if (this.items.size > this.kept && oldest !== undefined) this.items.delete(oldest);
  }
}
