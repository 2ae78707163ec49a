"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import type { ConversationPage } from "@/lib/api/shapes.ts";
import { type ConversationPages, conversationsKey, PAGE_SIZE } from "./conversation-pages.ts";
import { type Filters, toQuery } from "./filters/filters.ts";

/** How often a search is asked anew while it lags behind the log, ms. */
const CATCHING_UP = 1_000;

/** One page of the list; the newest without a cursor. */
export function fetchPage(filters: Filters, cursor: string | null, signal?: AbortSignal): Promise<ConversationPage> {
  const query = { ...toQuery(filters, Date.now()), cursor, limit: PAGE_SIZE };
  return callApi("/api/conversations", { query, signal });
}

/** The conversations that match, page by page. While other filters load, the rows of the last ones stay. */
export function useConversations(filters: Filters) {
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
    // News comes by the stream (use-news.ts); loading every page again would only repeat it.
    staleTime: Number.POSITIVE_INFINITY,
    // But what the search has not come to yet is no news: it is asked for until it has.
    refetchInterval: ({ state: { data } }) => (data?.pages.length === 1 && data.pages[0]?.behind ? CATCHING_UP : false),
  });
}
