/** A span to export, independent of the SDK. */
export interface PlannedSpan {
  /** The event that starts it, from which its id is derived. */
  key: string;
  /** The key of its parent span; null for the root. */
  parent: string | null;
  name: string;
  kind: "internal" | "client";
  /** Epoch ms. */
  start: number;
  end: number;
  attributes: Record<string, string | number | string[]>;
  /** Why it failed; null if it did not. */
  error: string | null;
}
