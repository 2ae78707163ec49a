/** A span as it is exported: told by the log, not yet in the words of an SDK. */
export interface PlannedSpan {
  /** The event that begins it: what its id is made of. */
  key: string;
  /** The span that it belongs to, by its key; null for the root. */
  parent: string | null;
  name: string;
  kind: "internal" | "client";
  /** Epoch ms. */
  start: number;
  end: number;
  attributes: Record<string, string | number | string[]>;
  /** Why it failed; null where it did not. */
  error: string | null;
}
