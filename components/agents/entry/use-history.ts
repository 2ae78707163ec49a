"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { ApiProblem, callApi } from "@/components/client/api.ts";
import type { AgentStateVersion, Page } from "@/lib/api/shapes.ts";
import { entryAddress } from "../addresses.ts";
import { HISTORY_PAGE, historyKey } from "../queries.ts";

/** The versions of a key, newest first, page by page; none for a key without versions. */
export function useHistory(agent: string, key: string) {
  return useInfiniteQuery({
    queryKey: historyKey(agent, key),
    queryFn: ({ pageParam, signal }) => fetchHistory(agent, key, pageParam, signal),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    // Invalidated by the stream.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

async function fetchHistory(
  agent: string,
  key: string,
  cursor: string,
  signal: AbortSignal,
): Promise<Page<AgentStateVersion>> {
  try {
    const query = { cursor, limit: HISTORY_PAGE };
    return await callApi<Page<AgentStateVersion>>(`${entryAddress(agent, key)}/history`, { query, signal });
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return { items: [], next: null, prev: null };
    throw error;
  }
}
