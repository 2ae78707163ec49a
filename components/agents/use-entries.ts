"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import type { AgentStateEntry, Page } from "@/lib/api/shapes.ts";
import { ENTRIES_PAGE, entriesKey } from "./queries.ts";

/** What agents keep, page by page, in the order of agents and keys; what one agent keeps where it is named. */
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
    // The stream tells when it changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
}
