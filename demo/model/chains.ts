import type { JsonObject } from "../../lib/session/json/json.ts";

/** The most stored responses; each references items that it shares with its chain. */
const KEPT = 1_000;

/**
 * The most items per chain. With all items of long dialogs the heap grew by 30 MB in half an hour of two turns at a
 * time, and responses became slower.
 */
const MOST_ITEMS = 200;

/** Stored responses that can be continued, by id, with their items. The oldest are evicted. */
export class Chains {
  private readonly items = new Map<string, readonly JsonObject[]>();
  private readonly kept: number;

  constructor(kept = KEPT) {
    this.kept = kept;
  }

  /** Null for an unknown or evicted response. */
  upTo(id: string): readonly JsonObject[] | null {
    return this.items.get(id) ?? null;
  }

  keep(id: string, items: readonly JsonObject[]): void {
    this.items.set(id, items.slice(-MOST_ITEMS));
    const [oldest] = this.items.keys();
    if (this.items.size > this.kept && oldest !== undefined) this.items.delete(oldest);
  }
}
