"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import type { PathHistory } from "@/lib/api/shapes.ts";

const PAGE = 100;

/** The writes and reads of a state path, oldest first, page by page (C6). */
export function usePathHistory(path: string, instance: string) {
  const conversationId = useStudio((state) => state.conversationId);
  // Recorded steps do not change: only a running session has new ones.
  const last = useStudio((state) => state.last);
  return useInfiniteQuery({
    queryKey: ["state-history", conversationId, path, instance, last],
    queryFn: ({ pageParam, signal }) => {
      // The empty instance is a value, which `withQuery` would leave out.
      const query = new URLSearchParams({ path, instance, cursor: pageParam, limit: String(PAGE) });
      const address = `/api/conversations/${encodeURIComponent(conversationId)}/state-history?${query}`;
      return callApi<PathHistory>(address, { signal });
    },
    initialPageParam: "0",
    getNextPageParam: ({ next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    retry: false,
  });
}
