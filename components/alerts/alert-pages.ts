import type { InfiniteData } from "@tanstack/react-query";
import type { ListedAlert, Page } from "@/lib/api/shapes.ts";

/** Which alerts are shown: open ones, or all. */
export type Shown = "open" | "all";

/** Items per page; the API's default. */
export const PAGE_SIZE = 50;

/** The loaded pages, each fetched with the cursor of the one before. */
export type AlertPages = InfiniteData<Page<ListedAlert>, string | null>;

export const ALERTS_KEY = ["alerts"] as const;

export function alertsKey(shown: Shown) {
  return [...ALERTS_KEY, shown] as const;
}

/** Reads the filter from the address; open alerts by default. */
export function parseShown(status: unknown): Shown {
  return status === "all" ? "all" : "open";
}

/** The studio at the step of the alert. */
export function studioAddress({ conversation_id, seq, run_id }: ListedAlert): string {
  const query = new URLSearchParams({ at: String(seq) });
  if (run_id !== null) query.set("run", run_id);
  return `/conversations/${encodeURIComponent(conversation_id)}?${query}`;
}
