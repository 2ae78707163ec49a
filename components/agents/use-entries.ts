"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import type { AgentStateEntry, Page } from "@/lib/api/shapes.ts";
import { ENTRIES_PAGE, entriesKey } from "./queries.ts";

/** Agent state by agent and key, page by page; of one agent if given. */
export function useEntries(agent: string | null) {
  return useInfiniteQuery({
    queryKey: entriesKey(agent),
    queryFn: ({ pageParam, signal }) =>
      callApi<Page<AgentStateEntry>>("/api/agent-state", {
        query: { agent_id: agent, cursor: pageParam, limit: ENTRIES_PAGE },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    // Invalidated by the stream.
    staleTime: Number.POSITIVE_INFINITY,
  });
}
