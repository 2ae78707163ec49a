"use client";

import { useQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import type { Conversation, Page } from "@/lib/api/shapes.ts";
import { forksKey } from "./queries.ts";

/** The most forks in the menu; it says when there are more. */
export const SHOWN_FORKS = 50;

/** The forks of a conversation, the most recently active first. */
export function useForks(conversationId: string) {
  return useQuery({
    queryKey: forksKey(conversationId),
    queryFn: ({ signal }) =>
      callApi<Page<Conversation>>("/api/conversations", {
        query: { forked_from: conversationId, limit: SHOWN_FORKS },
        signal,
      }),
  });
}
