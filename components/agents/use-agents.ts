"use client";

import { useQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import { AGENTS_KEY } from "./queries.ts";
import type { RunningAgent } from "./running-agent.ts";

/** The agents of this server, by id. */
export function useAgents() {
  return useQuery({
    queryKey: AGENTS_KEY,
    queryFn: async ({ signal }) => (await callApi<{ items: RunningAgent[] }>("/api/agents", { signal })).items,
    // Invalidated by the stream.
    staleTime: Number.POSITIVE_INFINITY,
  });
}
