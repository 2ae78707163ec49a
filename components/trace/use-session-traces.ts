"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import type { SessionEvent } from "@/lib/session/event.ts";
import { newestTraces, type SessionTrace } from "./newest-traces.ts";

/** The most writes that are searched: each may contain a long trace. */
const NEWEST = 20;

/** The newest trace of each agent and key at the current step, newest first. Undefined while loading. */
export function useSessionTraces() {
  const conversationId = useStudio((state) => state.conversationId);
  const timeline = useStudio((state) => state.timeline);
  const at = useStudio((state) => state.session.at);
  const steps = timeline
    ?.filter(({ seq, type }) => seq <= at && type === "agent_state.written")
    .slice(-NEWEST)
    .map(({ seq }) => seq);
  const first = steps?.at(0) ?? 0;
  const last = steps?.at(-1) ?? 0;
  return useQuery({
    queryKey: ["session-traces", conversationId, first, last],
    queryFn: async ({ signal }) => (first === 0 ? [] : await fetchTraces({ conversationId, first, last }, signal)),
    enabled: timeline !== null,
    placeholderData: keepPreviousData,
    // Recorded events are immutable.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

async function fetchTraces(
  { conversationId, first, last }: { conversationId: string; first: number; last: number },
  signal: AbortSignal,
): Promise<SessionTrace[]> {
  const path = `/api/conversations/${encodeURIComponent(conversationId)}/events`;
  const found: SessionEvent[] = [];
  // Large events make pages shorter than requested.
  for (let cursor: string | null = String(first - 1); cursor !== null && found.length < NEWEST; ) {
    const page: { items: SessionEvent[]; next: string | null } = await callApi(path, {
      query: { type: "agent_state.written", cursor, limit: NEWEST - found.length },
      signal,
    });
    found.push(...page.items);
    cursor = page.next;
  }
  return newestTraces(found.filter(({ seq }) => seq <= last));
}
