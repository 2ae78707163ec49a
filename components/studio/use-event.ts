"use client";

import { useQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import type { SessionEvent } from "@/lib/session/event.ts";
import { useStudio } from "./use-studio.ts";

/** An event in full; null while loading. Events are immutable, so each is fetched once. */
export function useEvent(seq: number): SessionEvent | null {
  const conversationId = useStudio((state) => state.conversationId);
  const { data } = useQuery({
    queryKey: ["event", conversationId, seq],
    queryFn: () => fetchEvent(conversationId, seq),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? null;
}

async function fetchEvent(conversationId: string, seq: number): Promise<SessionEvent | null> {
  const path = `/api/conversations/${encodeURIComponent(conversationId)}/events`;
  const page = await callApi<{ items: SessionEvent[] }>(path, { query: { after: seq - 1, limit: 1 } });
  return page.items[0] ?? null;
}
