"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import type { SessionEvent } from "@/lib/session/event.ts";
import { type ModelRequest, readRequest } from "./read-request.ts";

/**
 * The request whose prompt was rendered at a step, with what the events up to `until` tell of it. While it loads, `data`
 * is the one that was shown before. Null steps load nothing; while the playhead is dragged, nothing is loaded either.
 */
export function useRequest(step: number | null, until: number) {
  const conversationId = useStudio((state) => state.conversationId);
  const dragging = useStudio((state) => state.dragging);
  return useQuery({
    queryKey: ["model-request", conversationId, step, until],
    queryFn: ({ signal }) => fetchRequest(conversationId, step ?? 0, until, signal),
    enabled: step !== null && !dragging,
    placeholderData: keepPreviousData,
    // What is in the log never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

async function fetchRequest(
  conversationId: string,
  step: number,
  until: number,
  signal: AbortSignal,
): Promise<ModelRequest | null> {
  const { items } = await callApi<{ items: SessionEvent[] }>(
    `/api/conversations/${encodeURIComponent(conversationId)}/events`,
    { query: { after: step - 1, limit: until - step + 1 }, signal },
  );
  return readRequest(items);
}
