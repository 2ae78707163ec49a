"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import { readAgain } from "@/components/client/read-again.ts";
import { AGENTS_KEY } from "./queries.ts";
import { definitionOf, type Mode, type RunningAgent } from "./running-agent.ts";

/**
 * Changes how much an agent carries out (M13), from its next turn on, if it is still as the reader sees it. Changed
 * meanwhile, it is an `ApiProblem` with status 412, and the page shows it as it is.
 */
export function useSetMode(agent: RunningAgent) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (mode: Mode) =>
      callApi<RunningAgent>(`/api/agents/${encodeURIComponent(agent.id)}`, {
        method: "PUT",
        body: { ...definitionOf(agent), mode },
        headers: { "if-match": `"${agent.version}"` },
      }),
    onSuccess: (written) =>
      queries.setQueryData<RunningAgent[]>(AGENTS_KEY, (all) =>
        all?.map((one) => (one.id === written.id ? written : one)),
      ),
    onError: () => readAgain(queries, AGENTS_KEY),
  });
}
