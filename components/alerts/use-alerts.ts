"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import type { ListedAlert, Page } from "@/lib/api/shapes.ts";
import { type AlertPages, alertsKey, PAGE_SIZE, type Shown } from "./alert-pages.ts";

/** What managers are called for, newest first, page by page. */
export function useAlerts(shown: Shown) {
  return useInfiniteQuery<Page<ListedAlert>, Error, AlertPages, ReturnType<typeof alertsKey>, string | null>({
    queryKey: alertsKey(shown),
    queryFn: ({ pageParam, signal }) =>
      callApi("/api/alerts", { query: { status: shown, cursor: pageParam, limit: PAGE_SIZE }, signal }),
    initialPageParam: null,
    getNextPageParam: ({ next }) => next,
    // The stream tells when it changes (use-live-alerts.ts).
    staleTime: Number.POSITIVE_INFINITY,
  });
}
