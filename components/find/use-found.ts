"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { callApi } from "@/components/client/api.ts";
import type { SessionSearch } from "@/lib/api/shapes.ts";
import type { FindWhere } from "@/lib/session/find/find-in-event.ts";

/** Hits a page. */
const LIMIT = 50;

/** The steps in which words are found, newest first, asked of the server page by page; who types on ends what was asked. */
export function useFound(conversationId: string, q: string, where: FindWhere | null) {
  const found = useInfiniteQuery({
    queryKey: ["find", conversationId, q, where],
    queryFn: ({ pageParam, signal }) =>
      callApi<SessionSearch>(`/api/conversations/${encodeURIComponent(conversationId)}/search`, {
        query: { q, where, cursor: pageParam, limit: LIMIT },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    enabled: q !== "",
    placeholderData: keepPreviousData,
  });
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = found;
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  // A long session is looked through a part at a time: on to the first full page by itself, further when it is asked for.
  const looksOn = items.length < LIMIT && hasNextPage && !isFetching && !isError;
  // The outside system is the server.
  useEffect(() => {
    if (looksOn) void fetchNextPage();
  }, [looksOn, fetchNextPage]);
  return { ...found, items: q === "" ? [] : items, from: data?.pages.at(-1)?.from ?? null };
}
