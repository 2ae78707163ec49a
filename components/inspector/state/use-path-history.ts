"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import type { PathHistory } from "@/lib/api/shapes.ts";

const PAGE = 100;

/** The steps at which a path of the state was written or read, oldest first, page by page (C6). */
export function usePathHistory(path: string, instance: string) {
  const conversationId = useStudio((state) => state.conversationId);
  // What has been recorded stays: only a session that goes on has more to tell.
  const last = useStudio((state) => state.last);
  return useInfiniteQuery({
    queryKey: ["state-history", conversationId, path, instance, last],
    queryFn: ({ pageParam, signal }) => {
      // An empty instance is one, too, which the query of a call would leave out.
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
