"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import type { Page } from "@/lib/api/shapes.ts";
import type { Message } from "@/lib/session/session.ts";

const PAGE = 200;

/** The messages before the view, oldest first, loaded page by page on request. */
export interface EarlierMessages {
  messages: Message[];
  /** How many are not loaded yet. */
  left: number;
  loading: boolean;
  failed: boolean;
  load(): void;
}

/** `before`: how many messages the view left out. Pages start at the beginning. */
export function useEarlierMessages(before: number): EarlierMessages {
  const conversationId = useStudio((state) => state.conversationId);
  const query = useInfiniteQuery({
    queryKey: ["messages", conversationId],
    queryFn: ({ pageParam }) =>
      callApi<Page<Message>>(`/api/conversations/${encodeURIComponent(conversationId)}/messages`, {
        query: { cursor: pageParam, limit: PAGE },
      }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const messages = (query.data?.pages ?? []).flatMap(({ items }) => items).slice(0, before);
  return {
    messages,
    left: before - messages.length,
    loading: query.isFetching,
    failed: query.isError,
    load: () => void query.fetchNextPage(),
  };
}
