"use client";

import { useQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import type { Conversation, Page } from "@/lib/api/shapes.ts";
import { forksKey } from "./queries.ts";

/** As many as a menu can show; a conversation with more says so. */
export const SHOWN_FORKS = 50;

/** The forks of a conversation, the last active first. */
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
