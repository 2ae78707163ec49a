"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import type { ConversationPage } from "@/lib/api/shapes.ts";
import { type ConversationPages, conversationsKey, PAGE_SIZE } from "./conversation-pages.ts";
import { type ListState, toListQuery } from "./filters/filters.ts";

/** The poll interval while the search index lags behind the log, ms. */
const CATCHING_UP = 1_000;

/** One page of the list; the newest without a cursor. */
export function fetchPage(filters: ListState, cursor: string | null, signal?: AbortSignal): Promise<ConversationPage> {
  const query = { ...toListQuery(filters, Date.now()), cursor, limit: PAGE_SIZE };
  return callApi("/api/conversations", { query, signal });
}

/** The matching conversations, page by page. While other filters load, the previous rows stay. */
export function useConversations(filters: ListState) {
  return useInfiniteQuery<
    ConversationPage,
    Error,
    ConversationPages,
    ReturnType<typeof conversationsKey>,
    string | null
  >({
    queryKey: conversationsKey(filters),
    queryFn: ({ pageParam, signal }) => fetchPage(filters, pageParam, signal),
    initialPageParam: null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    // Updates come from the stream (use-list-updates.ts); refetching every page would repeat them.
    staleTime: Number.POSITIVE_INFINITY,
    // Indexing has no events, so it is polled for.
    refetchInterval: ({ state: { data } }) => (data?.pages.length === 1 && data.pages[0]?.behind ? CATCHING_UP : false),
  });
}
