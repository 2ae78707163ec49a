"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import type { ListedConfirmation, Page } from "@/lib/api/shapes.ts";
import type { Status } from "../place.ts";
import { type InboxPages, inboxKey, PAGE_SIZE } from "./inbox-pages.ts";

/** One page of the inbox; the first without a cursor. */
export function fetchPage(
  status: Status,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<Page<ListedConfirmation>> {
  return callApi("/api/confirmations", { query: { status, cursor, limit: PAGE_SIZE }, signal });
}

/** Pending approvals, oldest first, or decided ones, newest first, page by page. */
export function useInbox(status: Status) {
  return useInfiniteQuery<Page<ListedConfirmation>, Error, InboxPages, ReturnType<typeof inboxKey>, string | null>({
    queryKey: inboxKey(status),
    queryFn: ({ pageParam, signal }) => fetchPage(status, pageParam, signal),
    initialPageParam: null,
    getNextPageParam: ({ next }) => next,
    // Updates come from the stream (use-live-inbox.ts); refetching all pages would move the rows.
    staleTime: Number.POSITIVE_INFINITY,
  });
}
