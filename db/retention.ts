/** How long conversations are kept after their last activity. */
export interface RetentionRule {
  /** The channel that it applies to; null for all channels without a rule. */
  channel: string | null;
  days: number;
}

/** A conversation that a rule will remove. */
export interface Expiring {
  id: string;
  title: string | null;
  channel: string | null;
  updated_at: string;
  /** When it becomes due. */
  removed_at: string;
}

/** What was removed. */
export interface Removed {
  conversations: number;
  events: number;
}

/** Removes conversations by age. */
export interface RetentionStore {
  /**
   * The next conversations due before `until` (epoch ms), earliest first. Without those that have open runs or pending
   * confirmations, or are taken over.
   */
  next(rules: readonly RetentionRule[], until: number, limit: number): Promise<Expiring[]>;
  /** The number of conversations due before `until` (epoch ms). */
  count(rules: readonly RetentionRule[], until: number): Promise<number>;
  /**
   * Removes these conversations, a part at a time between other writes, and returns how many. One that has had activity
   * since its `updated_at` stays. Each becomes invisible at once; if the process ends, the next start removes the rest.
   */
  remove(conversations: readonly Pick<Expiring, "id" | "updated_at">[]): Promise<Removed>;
}
