/** How long conversations are kept after the last that happened in them. */
export interface RetentionRule {
  /** Of this channel; null of all that have no rule of their own. */
  channel: string | null;
  days: number;
}

/** A conversation that a rule will remove. */
export interface Expiring {
  id: string;
  title: string | null;
  channel: string | null;
  updated_at: string;
  /** From then on. */
  removed_at: string;
}

/** What was removed. */
export interface Removed {
  conversations: number;
  events: number;
}

/** Removes conversations by their age. */
export interface RetentionStore {
  /**
   * The next to be removed by a rule, the earliest first, those that are due before `until` (epoch ms). Never one in which something
   * runs, waits for a person or was taken over.
   */
  next(rules: readonly RetentionRule[], until: number, limit: number): Promise<Expiring[]>;
  /** How many are due before `until` (epoch ms). */
  count(rules: readonly RetentionRule[], until: number): Promise<number>;
  /**
   * Removes all of these conversations, a part at a time between other writes, and tells how many they were; one stays in which something
   * has happened since its `updated_at`. Each is out of sight at once; a process that ends in between leaves the
   * rest to the next start.
   */
  remove(conversations: readonly Pick<Expiring, "id" | "updated_at">[]): Promise<Removed>;
}
