"use client";

import { useQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import type { Conversation } from "@/lib/api/shapes.ts";
import { conversationKey } from "../queries.ts";

/** One conversation's row; null asks for nothing. */
export function useConversation(id: string | null) {
  return useQuery({
    queryKey: conversationKey(id ?? ""),
    queryFn: ({ signal }) => callApi<Conversation>(`/api/conversations/${encodeURIComponent(id ?? "")}`, { signal }),
    enabled: id !== null,
  });
}
