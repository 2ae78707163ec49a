import type { InfiniteData } from "@tanstack/react-query";
import type { ListedAlert, Page } from "@/lib/api/shapes.ts";

/** Which alerts are shown: those whose conversation was not handed back since, or all. */
export type Shown = "open" | "all";

/** Items a page; the API's own default. */
export const PAGE_SIZE = 50;

/** The pages loaded so far; each is asked for by the cursor the one before it told. */
export type AlertPages = InfiniteData<Page<ListedAlert>, string | null>;

export const ALERTS_KEY = ["alerts"] as const;

export function alertsKey(shown: Shown) {
  return [...ALERTS_KEY, shown] as const;
}

/** Reads from an address which ones are shown: the open ones where it does not say. */
export function parseShown(status: unknown): Shown {
  return status === "all" ? "all" : "open";
}

/** The studio of the conversation at the step at which the manager was called. */
export function studioAddress({ conversation_id, seq, run_id }: ListedAlert): string {
  const query = new URLSearchParams({ at: String(seq) });
  if (run_id !== null) query.set("run", run_id);
  return `/conversations/${encodeURIComponent(conversation_id)}?${query}`;
}
