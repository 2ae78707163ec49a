"use client";

import { useQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import { AGENTS_KEY } from "./queries.ts";
import type { RunningAgent } from "./running-agent.ts";

/** The agents that run on this server, by id. */
export function useAgents() {
  return useQuery({
    queryKey: AGENTS_KEY,
    queryFn: async ({ signal }) => (await callApi<{ items: RunningAgent[] }>("/api/agents", { signal })).items,
    // The stream tells when it changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
}
