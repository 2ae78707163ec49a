"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import type { Conversation, Page } from "@/lib/api/shapes.ts";
import { useDebounced } from "../use-debounced.ts";

/** The most results. */
const SHOWN = 8;
/** The debounce, ms. */
const REST = 200;

/** Conversations that match, the most recently active first; all without a query. */
export function useConversationSearch(text: string, isOpen: boolean) {
  const q = useDebounced(text.trim(), REST);
  const { data, error, isPending, isPlaceholderData } = useQuery({
    queryKey: ["conversations-found", q],
    queryFn: ({ signal }) => callApi<Page<Conversation>>("/api/conversations", { query: { q, limit: SHOWN }, signal }),
    enabled: isOpen,
    placeholderData: keepPreviousData,
    // A list may be stale when it is opened again.
    staleTime: 0,
  });
  return {
    found: data?.items ?? [],
    error,
    isPending,
    /** They match the current query. */
    isTheirs: data !== undefined && !isPlaceholderData && q === text.trim(),
  };
}
